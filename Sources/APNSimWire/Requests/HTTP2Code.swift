/// A code of RST_STREAM or GOAWAY (RFC 9113 section 7). An open set: any number may be sent.
package struct HTTP2Code: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static let noError = Self(rawValue: 0)
  package static let protocolError = Self(rawValue: 1)
  package static let internalError = Self(rawValue: 2)
  package static let refusedStream = Self(rawValue: 7)
  package static let cancel = Self(rawValue: 8)

  /// The names of RFC 9113, in the order of their numbers from 0.
  package static let names = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
    "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR",
    "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
  ]

  /// The code of a name; nil where there is none.
  package init?(name: some StringProtocol) {
    guard let number = Self.names.firstIndex(where: { $0 == name }) else { return nil }
    self.init(rawValue: UInt32(number))
  }

  /// The code of what ``name`` is; nil for anything else.
  package init?(spelled text: String) {
    let number = text.hasPrefix("code ") ? UInt32(text.dropFirst(5)) : nil
    guard let code = Self(name: text) ?? number.map({ Self(rawValue: $0) }) else { return nil }
    self = code
  }

  /// `REFUSED_STREAM`; `code 14` for one without a name.
  package var name: String {
    rawValue < Self.names.count ? Self.names[Int(rawValue)] : "code \(rawValue)"
  }
}
