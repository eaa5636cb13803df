import APNSimCore
import ArgumentParser
import Foundation

/// An expiry on the command line, as the four bytes of the wire.
struct SendExpiry: ExpressibleByArgument, Equatable {
  var seconds: UInt32

  /// Seconds since 1970 (also negative ones, which older texts read as "do not store"), a time, or `+SPAN`
  /// from now; nil for what does not fit into 32 bits.
  init?(argument: String) {
    self.init(argument: argument, now: Timestamp(seconds: Int64(Date().timeIntervalSince1970)))
  }

  init?(argument: String, now: Timestamp) {
    let moment: Int64?
    if argument.hasPrefix("+") {
      moment = TimeSpan(argument.dropFirst()).map { (now + $0).seconds }
    } else {
      moment = Int64(argument) ?? Timestamp(argument)?.seconds
    }
    guard let moment,
      let bytes = UInt32(exactly: moment) ?? Int32(exactly: moment).map(UInt32.init(bitPattern:))
    else { return nil }
    seconds = bytes
  }
}
