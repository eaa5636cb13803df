package import SystemPackage

extension Errno {
  /// A description in plain words, which begin with a lower-case letter where they are ours.
  package var words: String {
    switch self {
    case .noSuchFileOrDirectory: "no such file or directory"
    case .permissionDenied, .notPermitted: "permission denied"
    case .readOnlyFileSystem: "read-only file system"
    case .noSpace: "no space left on the device"
    case .fileTooLarge, .diskQuotaExceeded: "the file cannot grow any more"
    case .tooManyOpenFiles: "too many open files"
    case .tooManyOpenFilesInSystem: "the system has too many open files"
    case .notDirectory: "a part of the path is not a directory"
    default: description
    }
  }
}
