import Foundation

/// Says in the words of the system why a file operation failed.
package enum FileFailure {
  /// Why the last call of the system failed. To be asked at once: whatever allocates may change it.
  package static var last: String { String(cString: strerror(errno)) }

  /// `No such file or directory`, `Permission denied`.
  package static func reason(_ error: any Error) -> String {
    let cocoa = error as NSError
    if cocoa.domain == NSPOSIXErrorDomain { return words(of: cocoa.code) }
    if let system = cocoa.userInfo[NSUnderlyingErrorKey] as? NSError, system.domain == NSPOSIXErrorDomain {
      return words(of: system.code)
    }
    switch cocoa.code {
    case NSFileReadNoSuchFileError, NSFileNoSuchFileError: return "No such file or directory"
    case NSFileReadNoPermissionError, NSFileWriteNoPermissionError: return "Permission denied"
    default: return cocoa.localizedDescription
    }
  }

  private static func words(of code: Int) -> String {
    guard let code = POSIXErrorCode(rawValue: Int32(truncatingIfNeeded: code)) else { return "error \(code)" }
    return POSIXError(code).localizedDescription
      .replacingOccurrences(of: "The operation could not be completed. ", with: "")
  }
}
