import APNSimWire

/// Device tokens on the command line.
enum TokenArgument {
  /// - Throws: a usage error that names the token and what is wrong with it.
  static func bytes(_ texts: [String]) throws(CommandFailure) -> [[UInt8]] {
    var tokens: [[UInt8]] = []
    for text in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      guard !text.isEmpty else {
        throw CommandFailure(.usage, "--to has an empty token", hints: ["is a variable unset?"])
      }
      guard let bytes = Hex.decode(text), bytes.count <= 65_535 else {
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
}
