import APNSimCore
import ArgumentParser
import Foundation

/// An expiry on the command line, as the four bytes of the wire.
struct SendExpiry: ExpressibleByArgument, Equatable {
  var seconds: UInt32

  /// Seconds since 1970 (also negative ones, which older texts read as "do not store"), a time, or `+SPAN`
  /// from now.
  init?(argument: String) {
    self.init(argument: argument, now: Timestamp(seconds: Int64(Date().timeIntervalSince1970)))
  }

  init?(argument: String, now: Timestamp) {
    if let number = Int32(argument) {
      seconds = UInt32(bitPattern: number)
    } else if let number = UInt32(argument) {
      seconds = number
    } else if argument.hasPrefix("+") {
      guard let span = TimeSpan(argument.dropFirst()) else { return nil }
      seconds = UInt32(clamping: (now + span).seconds)
    } else {
      guard let moment = Timestamp(argument) else { return nil }
      seconds = UInt32(clamping: moment.seconds)
    }
  }
}
