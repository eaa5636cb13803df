/// Logs that clients write of their own requests. They have neither all bytes nor their order, and are not read.
enum ClientLog: String, CaseIterable {
  case curl = "what curl -v says"
  case nghttp = "what nghttp -v says"
  case go = "a log of Go's net/http (GODEBUG=http2debug=2)"
  case netty = "a log of Netty's frames"
  case node = "a log of Node.js (NODE_DEBUG=http2)"
  case charles = "a session of Charles"
  case chrome = "a net log of Chrome"

  static let hint = "a client's log: save packets with a key log (SSLKEYLOGFILE), or an HTTP archive (HAR)"

  /// The log that a text is; nil for none that is known.
  /// - Parameter start: its first bytes.
  init?(_ start: ArraySlice<UInt8>) {
    let text = String(decoding: start.prefix(16 * 1024), as: UTF8.self)
    guard let found = Self.allCases.first(where: { $0.isMeant(by: text) }) else { return nil }
    self = found
  }

  private func isMeant(by text: String) -> Bool {
    let begin = text.drop { $0.isWhitespace }
    return switch self {
    case .curl: begin.hasPrefix("* ") && (text.contains("\n> ") || text.contains("\n* "))
    case .nghttp: begin.hasPrefix("[") && text.contains(" frame <length=")
    case .go: text.contains("http2: Framer 0x") || text.contains("http2: Transport ")
    case .netty: text.contains("BOUND HEADERS: streamId=") || text.contains("BOUND SETTINGS: ack=")
    case .node: begin.hasPrefix("HTTP2 ") && text.contains(": Http2")
    case .charles: begin.hasPrefix("[") && text.contains(#""protocolVersion""#)
    case .chrome: begin.hasPrefix("{") && text.contains(#""logEventTypes""#)
    }
  }
}
