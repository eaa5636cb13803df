internal import Foundation

/// Says in the words of the system why a file operation failed.
package enum FileFailure {
  /// Why the last call of the system failed. To be asked at once: whatever allocates may change it.
  package static var last: String { words(of: errno) }

  /// What an error of the system means.
  package static func words(of code: Int32) -> String { String(cString: strerror(code)) }

  /// `No such file or directory`, `Permission denied`.
  package static func reason(_ error: any Error) -> String {
    let cocoa = error as NSError
    if cocoa.domain == NSPOSIXErrorDomain { return words(of: Int32(truncatingIfNeeded: cocoa.code)) }
    // It may be a `POSIXError`, which is no `NSError` before it is made one.
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
