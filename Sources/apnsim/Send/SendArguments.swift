import APNSimCore
import APNSimScenario
import APNSimWire
import ArgumentParser

/// An expiry on the command line, as the four bytes of the wire.
struct SendExpiry: ExpressibleByArgument, Equatable {
  var seconds: UInt32

  /// Seconds since 1970 (also negative ones, which older texts read as "do not store"), a time, or `+SPAN`
  /// from now; nil for what does not fit into 32 bits.
  init?(argument: String) {
    self.init(argument: argument, now: Timestamp(seconds: Timestamp.now.seconds))
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

/// A notification identifier on the command line: `7` or `0x00000007`.
struct SendIdentifier: ExpressibleByArgument, Equatable {
  var rawValue: UInt32

  init?(argument: String) {
    let value =
      argument.hasPrefix("0x") ? UInt32(argument.dropFirst(2), radix: 16) : UInt32(argument)
    guard let value else { return nil }
    rawValue = value
  }
}

/// Device tokens on the command line.
enum TokenArgument {
  /// Reads tokens in hex digits, also as devices and libraries print them: with angle brackets, blanks or colons, or 32
  /// bytes in Base64.
  /// - Throws: a usage error that names the token and what is wrong with it.
  static func bytes(_ texts: [String]) throws(CommandFailure) -> [[UInt8]] {
    var tokens: [[UInt8]] = []
    for text in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      guard !text.isEmpty else {
        throw CommandFailure(.usage, "--to has an empty token", hints: ["is a variable unset?"])
      }
      guard let bytes = Hex.decode(text) ?? description(text) ?? base64(text), bytes.count <= 65_535 else {
        let isOdd = text.utf8.count % 2 == 1 && text.allSatisfy(\.isHexDigit)
        throw CommandFailure(
          .usage,
          isOdd
            ? "the token \(text) has \(text.count) hex digits, an odd number"
            : "the token \(text) is not in hex digits",
          hints: ["`apnsim device list` prints the devices' tokens"]
        )
      }
      tokens.append(bytes)
    }
    return tokens
  }

  /// Reads `<30313233 34353637 …>`, as `NSData` describes itself, and bytes apart (`30:31:32`).
  private static func description(_ text: Substring) -> [UInt8]? {
    var digits = text
    if digits.hasPrefix("<"), digits.hasSuffix(">") { digits = digits.dropFirst().dropLast() }
    let groups = digits.split(whereSeparator: { $0 == " " || $0 == ":" })
    // A digit of its own would belong to the group before or after it.
    guard !groups.isEmpty, groups.allSatisfy({ $0.utf8.count % 2 == 0 }) else { return nil }
    return Hex.decode(groups.joined())
  }

  /// Reads the 32 bytes of a token in Base64, of either alphabet. Other sizes could be something else.
  private static func base64(_ text: Substring) -> [UInt8]? {
    guard text.utf8.count == 44 || text.utf8.count == 43, !text.allSatisfy(\.isHexDigit) else { return nil }
    let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    let bytes = Base64.decode(standard.utf8.count == 43 ? standard + "=" : standard)
    return bytes?.count == 32 ? bytes : nil
  }
}
