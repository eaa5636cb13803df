import APNSimWire

/// An answer of the control API, complete.
struct ControlAnswer: Sendable {
  var status: Int
  var type: String
  var bytes: [UInt8]

  var isSuccess: Bool { (200..<300).contains(status) }

  /// The body as JSON; null for none.
  /// - Throws: `CommandFailure` for what is no JSON, with how it begins.
  func json() throws(CommandFailure) -> JSONValue {
    if bytes.isEmpty { return .null }
    do {
      return try JSONValue.parse(bytes)
    } catch {
      throw CommandFailure(
        .runtimeError,
        "the server's answer is not JSON (\(error)): \"\(excerpt)\"",
        hints: ["is it an apnsim control API?"]
      )
    }
  }

  /// The beginning of the body, without control characters.
  var excerpt: String {
    TerminalText.visible(String(decoding: bytes.prefix(120), as: UTF8.self))
  }
}
