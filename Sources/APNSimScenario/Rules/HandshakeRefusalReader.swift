import APNSimCore

/// Reads how a provider's certificate is refused: `revoked`, `close`, `{ alert: 44 }`.
enum HandshakeRefusalReader {
  /// What the gateway was seen to answer, by the alert's number.
  private static let alerts: [(name: String, number: UInt8)] = [
    ("revoked", 44), ("expired", 45), ("unknown", 46), ("unknownCA", 48), ("handshakeFailure", 40),
  ]

  static func read(_ value: Value?, _ place: Value) -> Fault.HandshakeRefusal? {
    let names = alerts.map(\.name) + ["close"]
    let expected = "\(names.joined(separator: ", ")) or { alert: 44 } as the refusal"
    guard let value else {
      place.report("expected \(expected), found nothing")
      return nil
    }
    guard let text = value.scalar else {
      guard let fields = Fields(value, of: "a refusal", keys: ["alert"]) else { return nil }
      return fields.require("alert")?.integer("the TLS alert", 1...255).map { .alert(UInt8(clamping: $0)) }
    }
    if text == "close" { return .close }
    if let alert = alerts.first(where: { $0.name == text })?.number { return .alert(alert) }
    value.mismatch(expected, suggestion: NearestName.find(text, among: names))
    return nil
  }
}
