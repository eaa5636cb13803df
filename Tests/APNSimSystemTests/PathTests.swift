import APNSimSystem
import APNSimTestSupport
import Foundation
import SystemPackage
import Testing

@Suite struct `A path` {
  private let home: TemporaryDirectory

  init() throws { home = try TemporaryDirectory() }

  @Test func `paths lead to files, directories and pipes, by links as well, or to nothing`() throws {
    try home.write("file", "four")
    try #require(mkfifo(home.file("pipe"), 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: home.file("link"), withDestinationPath: "file")
    let types = ["file", "pipe", "link", ".", "nothing"].map { SystemPath.facts(home.file($0))?.type }
    #expect(types == [.regular, .fifo, .regular, .directory, nil])
    #expect(SystemPath.facts(home.file("link"), followsLinks: false)?.type == .symbolicLink)
    #expect(SystemPath.facts(home.file("link"))?.identity == SystemPath.facts(home.file("file"))?.identity)
    #expect(SystemPath.facts(home.file("file"))?.size == 4)
    #expect(SystemPath.isDirectory(home.path) && SystemPath.exists("/dev/null"))
  }

  @Test func `a file's facts have the time of the last change of its content`() throws {
    try home.write("file", "x")
    let time = timeval(tv_sec: 1_338_508_800, tv_usec: 0)
    try #require(utimes(home.file("file"), [time, time]) == 0)
    #expect(SystemPath.facts(home.file("file"))?.modified.inMilliseconds == 1_338_508_800_000)
  }

  @Test func `a file is read up to a limit`() throws {
    try home.write("file", "content")
    #expect(try SystemPath.bytes(of: home.file("file"), upTo: 4) == Array("cont".utf8))
    #expect(try SystemPath.bytes(of: home.file("file"), upTo: 40) == Array("content".utf8))
    #expect(try SystemPath.bytes(of: "/dev/zero", upTo: 200_000).count == 200_000)
  }

  @Test func `removing a file that is not there is no error, and removing a directory is one`() throws {
    try SystemPath.remove(home.file("nothing"))
    #expect(throws: SystemError.self) { try SystemPath.remove(home.path) }
  }

  @Test func `where there is no file, none is refused`() throws {
    try home.write("file", "x")
    for name in ["nothing", "file/below", "file"] { #expect(SystemPath.refusal(of: home.file(name)) == nil) }
  }

  @Test func `relative paths begin in the current directory`() {
    #expect(SystemPath.absolute("/a/b") == "/a/b")
    #expect(SystemPath.absolute("a") == "\(FileManager.default.currentDirectoryPath)/a")
  }
}

@Suite struct `A directory` {
  private let home: TemporaryDirectory

  init() throws { home = try TemporaryDirectory() }

  private func mode(_ path: String) -> CInterop.Mode? { SystemPath.facts(path)?.permissions.rawValue }

  @Test func `a directory is made with those above it, and one that is there stays as it is`() throws {
    let path = home.file("above/below")
    for mode: UInt32 in [0o700, 0o500] { try SystemFolder.make(path, mode: mode, modeAbove: 0o750) }
    #expect(mode(path) == 0o700 && mode(home.file("above")) == 0o750)
  }

  @Test func `a directory that cannot be made has the reason of the first that could not`() throws {
    try home.write("file", "x")
    let error = #expect(throws: SystemError.self) {
      try SystemFolder.make(home.file("file/below/more"), mode: 0o700, modeAbove: 0o700)
    }
    #expect(error?.words == "a part of the path is not a directory" && error?.path == home.file("file/below"))
  }

  @Test func `the names in a directory are in order, those that begin with a dot included`() throws {
    for name in ["b", "a", ".c"] { try home.write(name, "") }
    #expect(try SystemFolder.names(in: home.path) == [".c", "a", "b"])
    let error = #expect(throws: SystemError.self) { try SystemFolder.names(in: home.file("a")) }
    #expect(error?.code == .notDirectory)
  }

  @Test func `a directory is synced, and a file is not as if it were one`() throws {
    try home.write("file", "x")
    try SystemFolder.sync(home.path)
    try SystemFolder.checkWritable(home.path)
    #expect(throws: SystemError.self) { try SystemFolder.sync(home.file("file")) }
  }

  @Test func `temporary directories are their owner's, and each has a name of its own`() throws {
    let made = try (0..<2).map { _ in try SystemFolder.makeTemporary("apnsim-test") }
    defer { for path in made { try? SystemFolder.remove(path) } }
    #expect(Set(made).count == 2)
    for path in made {
      #expect(path.hasPrefix("\(SystemFolder.temporary)/apnsim-test-") && !path.hasSuffix("XXXXXX"))
      #expect(mode(path) == 0o700)
    }
    #expect(SystemFolder.temporaryPath() != SystemFolder.temporaryPath())
  }
}
