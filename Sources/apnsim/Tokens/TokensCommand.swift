import APNSimCore
import APNSimWire
import ArgumentParser

/// `apnsim tokens`: device tokens that script themselves, ready to copy.
struct TokensCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tokens",
    abstract: "List the magic tokens: device tokens that make the simulator misbehave.",
    discussion: """
      A magic token begins with the ASCII bytes APNSIM (41504e53494d), then one byte for the kind, one for \
      the code, and 24 free bytes that keep tokens unique. It needs no set-up and works under every \
      --tokens policy; "serve --magic-tokens off" makes such tokens ordinary ones.

      Kinds: e0 refuses with the status in the code, and e1 over HTTP/2 with the reason of that number, each on the \
      other interface with its counterpart; d0 is a connection fault and d1 a fault of a \
      request over HTTP/2, such as GOAWAY; 0f is an offline device and fb \
      one without the app, for the code's number of minutes of simulated time; 1a reacts after the code's number \
      of tenths of a second.
      """
  )

  @OptionGroup var output: OutputOptions

  func run() throws {
    let lines = MagicToken.examples.map { TokenLine($0) }
    if output.isJSON {
      try JSONLine.print(lines)
    } else {
      Output.lines(Table.lines(lines.map { [$0.token, $0.meaning] }))
    }
  }
}

/// One magic token as `tokens` prints it.
struct TokenLine: Encodable, Equatable {
  /// The seventh byte in hex: `e0`.
  var kind: String
  /// The eighth byte in hex.
  var code: String
  /// 64 hex digits.
  var token: String
  var meaning: String

  init(_ example: MagicToken.Example) {
    let bytes = example.magic.token()
    kind = Hex.encode([example.magic.kind.rawValue])
    code = Hex.encode([example.magic.code])
    token = Hex.encode(bytes)
    meaning = example.meaning
  }
}
