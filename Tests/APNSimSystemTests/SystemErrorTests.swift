import APNSimSystem
import SystemPackage
import Testing

@Suite struct `A refusal by the system` {
  @Test func `an error names the call, the path and the reason, in the system's words or in plain ones`() {
    let error = SystemError("open", "/nothing", .noSuchFileOrDirectory)
    #expect("\(error)" == "open /nothing: No such file or directory")
    #expect(error.text == "No such file or directory" && error.words == "no such file or directory")
    #expect(error.isAbsence)
    #expect("\(SystemError("poll", nil, .invalidArgument))" == "poll: Invalid argument")
  }

  @Test(arguments: [
    (Errno.permissionDenied, "permission denied"), (.notPermitted, "permission denied"),
    (.readOnlyFileSystem, "read-only file system"), (.noSpace, "no space left on the device"),
    (.fileTooLarge, "the file cannot grow any more"), (.diskQuotaExceeded, "the file cannot grow any more"),
    (.tooManyOpenFiles, "too many open files"),
    (.tooManyOpenFilesInSystem, "the system has too many open files"),
    (.notDirectory, "a part of the path is not a directory"), (.ioError, "Input/output error"),
  ])
  func `the usual reasons have plain words`(code: Errno, words: String) {
    #expect(SystemError("write", "/file", code).words == words)
  }

  @Test func `a finding of ours has one wording, and no number`() {
    let error = SystemError("open", "/file", finding: "it is not a regular file")
    #expect(error.words == "it is not a regular file" && error.text == error.words && error.code == nil)
    #expect(!error.isAbsence)
  }
}
