import Foundation

/// The system's words for a failed file operation.
package enum FileFailure {
  /// The reason of the last failed system call. Must be read at once: an allocation may change it.
  package static var last: String { words(of: errno) }

  /// The text of an `errno` value.
  package static func words(of code: Int32) -> String { String(cString: strerror(code)) }

  /// `No such file or directory`, `Permission denied`.
  package static func reason(_ error: any Error) -> String {
    let cocoa = error as NSError
    if cocoa.domain == NSPOSIXErrorDomain { return words(of: Int32(truncatingIfNeeded: cocoa.code)) }
    // The underlying error may be a `POSIXError`, which must be bridged to an `NSError` first.
    if let system = (cocoa.userInfo[NSUnderlyingErrorKey] as? any Error).map({ $0 as NSError }),
      system.domain == NSPOSIXErrorDomain
    {
      return words(of: Int32(truncatingIfNeeded: system.code))
    }
    switch cocoa.code {
    case NSFileReadNoSuchFileError, NSFileNoSuchFileError: return "No such file or directory"
    case NSFileReadNoPermissionError, NSFileWriteNoPermissionError: return "Permission denied"
    default: return cocoa.localizedDescription
    }
  }
}
