import APNSimCore
import APNSimWire
import ArgumentParser
import Foundation

/// A notification identifier on the command line: `7` or `0x00000007`.
struct SendIdentifier: ExpressibleByArgument, Equatable, CustomStringConvertible {
  var rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init?(argument: String) {
    let value =
      argument.hasPrefix("0x") ? UInt32(argument.dropFirst(2), radix: 16) : UInt32(argument)
    guard let value else { return nil }
    rawValue = value
  }

  var description: String { "\(rawValue)" }
}

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

/// Device tokens on the command line.
enum TokenArgument {
  /// - Throws: a usage error that names the token and what is wrong with it.
  static func bytes(_ texts: [String]) throws(CommandFailure) -> [[UInt8]] {
    var tokens: [[UInt8]] = []
    for text in texts.flatMap({ $0.split(separator: ",") }) {
      guard let bytes = Hex.decode(text), bytes.count <= 65_535 else {
        let isOdd = text.utf8.count % 2 == 1 && text.allSatisfy(\.isHexDigit)
        throw CommandFailure(
          .usage,
          isOdd
            ? "the token \(text) has \(text.count) hex digits, an odd number"
            : "the token \(text) is not in hex digits"
        )
      }
      tokens.append(bytes)
    }
    return tokens
  }
}
