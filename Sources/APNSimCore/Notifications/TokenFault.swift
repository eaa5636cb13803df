/// The reason why a token of the right size is no token here.
package enum TokenFault: UInt8, BitwiseCopyable, Hashable, Sendable {
  case none
  /// No device has it.
  case unknown
  /// It belongs to another app of this environment.
  case otherApp
  /// It belongs to the same app in the other environment.
  case otherEnvironment
  /// It was not issued by this simulator, which takes only those.
  case notIssued
  /// It would be a new device, and there is no room for one.
  case tooManyDevices
}
