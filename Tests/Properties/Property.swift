/// Properties that must hold for any bytes that a parser of outside input is given, each by a name.
///
/// The fuzzer looks for bytes that break one (`make fuzz FUZZ_TARGET=scenario`); a test replays those it ever found,
/// from `fixtures/crashers/NAME`.
package enum Property: String, CaseIterable, Sendable {
  /// Frames and payloads through the core: no trap, and no answer depends on how the bytes were cut.
  case gateway
  /// JSON text, base64 and hex: what was read and written is read as the same.
  case text
  /// Scenario files: read, and played when they are good.
  case scenario
  /// Configuration files.
  case configuration
  /// Localizable.strings.
  case strings
  /// The lines of a device on its port.
  case device
  /// A peer's certificate and its topics extension.
  case certificate
  /// Native captures.
  case capture
  /// Native captures that are redacted.
  case redaction
  /// Packet captures, pcap and pcapng.
  case packets
  /// Hex dumps.
  case hex
  /// Queries in one line, and what they find.
  case query
  /// Bodies of requests to the control API.
  case body
  /// The `.apns` files that are sent.
  case push
  /// The bytes of a provider's connection, in frames of HTTP/2.
  case http2
  /// A request's header list and body.
  case request
  /// Provider tokens.
  case jwt
  /// Requests about channels and broadcasts, and what happens between them.
  case channels
  /// HTTP/2 in captures, of either side.
  case exchange
  /// HTTP archives.
  case archive

  /// The difference or failure; nil when the property holds.
  package func violation(_ input: [UInt8]) -> String? {
    switch self {
    case .gateway: GatewayProperty.violation(input)
    case .text: TextProperty.violation(input)
    case .scenario: ScenarioProperty.violation(input)
    case .configuration: ConfigurationProperty.violation(input)
    case .strings: StringsProperty.violation(input)
    case .device: DeviceProperty.violation(input)
    case .certificate: CertificateProperty.violation(input)
    case .capture: CaptureProperty.violation(input)
    case .redaction: RedactionProperty.violation(input)
    case .packets: PacketsProperty.violation(input)
    case .hex: HexProperty.violation(input)
    case .query: QueryProperty.violation(input)
    case .body: BodyProperty.violation(input)
    case .push: PushProperty.violation(input)
    case .http2: HTTP2Property.violation(input)
    case .request: RequestProperty.violation(input)
    case .jwt: TokenProperty.violation(input)
    case .channels: ChannelProperty.violation(input)
    case .exchange: ExchangeProperty.violation(input)
    case .archive: ArchiveProperty.violation(input)
    }
  }
}
