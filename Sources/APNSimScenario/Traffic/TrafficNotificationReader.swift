import APNSimCore
import APNSimWire

/// Reads one item of `send`: `{ to: alice, payload: { aps: { alert: hi } }, count: 3 }` or `{ hex: "01 …" }`.
enum TrafficNotificationReader {
  static let noun = Noun(
    "notification",
    "a notification",
    "A frame of the binary interface, or several alike.",
    rows: [
      recipientRow, payloadRow,
      Noun.Row("command", .integer(0...255), "The command: 1 where nothing is said."),
      Noun.Row(
        "identifier",
        .either([.word("none"), .form(.identifier)]),
        "The identifier; its place on the connection where nothing is said."
      ),
      Noun.Row(
        "expiry",
        .form(.expiry),
        "The expiry: from now, seconds since 1970, a time, or none; 2147483647."
      ),
      Noun.Row("priority", .integer(0...255), "The priority, which command 2 has."),
      Noun.Row("count", countKind, "So many of these, with identifiers that count up."), payloadSizeRow,
      Noun.Row("hex", .form(.bytes), "The bytes as they are, in place of everything else."),
    ],
    terms: [
      .some(["to", "hex"]),
      .never([
        .given("hex"),
        .any(["to", "payload", "command", "identifier", "expiry", "priority", "count", "payloadSize"]),
      ]), .never([.given("priority"), .noValue("command", .integer(2...255))]),
    ]
      + ["identifier", "expiry"].map { key in
        .never([.value("command", .integer(0...0)), .given(key), .noValue(key, .word("none"))])
      }
  )
  static let recipientRow = Noun.Row(
    "to",
    .text,
    "A device, or a token of any length in hex digits; an empty text is no token at all."
  )
  static let payloadRow = Noun.Row("payload", .json, "The payload: sent as JSON; a text is sent as it is.")
  static let payloadSizeRow = Noun.Row(
    "payloadSize",
    .integer(0...Int(UInt16.max)),
    "The size in bytes to which the payload is padded with spaces."
  )
  /// The number of copies of one item.
  static let countKind = ValueKind.integer(1...100_000)

  static func read(_ item: Value, _ draft: ScenarioDraft) -> TrafficPiece? {
    guard let fields = Fields(item, of: noun) else { return nil }
    if let hex = fields["hex"] {
      for key in noun.keys where key != "hex" {
        fields[key]?.report("\"hex\" gives the raw bytes: \"\(key)\" cannot be given with it")
      }
      return hex.hexBytes("the bytes").map { .bytes($0) }
    }
    guard let recipient = fields.require("to").flatMap({ recipient($0, draft) }) else { return nil }
    var notification = TrafficNotification(
      recipient: recipient,
      payload: Array(#"{"aps":{"alert":"Hello"}}"#.utf8),
      command: 1,
      identifier: .place,
      expiry: .at(0x7FFF_FFFF),
      priority: nil,
      count: 1
    )
    if let command = fields.integer("command", "the command") {
      notification.command = UInt8(clamping: command)
    }
    if let value = fields["payload"], let payload = payload(value) { notification.payload = payload }
    if let size = fields["payloadSize"] { pad(&notification.payload, to: size) }
    if let value = fields["identifier"] {
      notification.identifier =
        value.scalar == "none" ? .none : value.identifier().map { .from($0.rawValue) } ?? .place
    }
    if let value = fields["expiry"], let expiry = expiry(value) { notification.expiry = expiry }
    notification.priority = fields.integer("priority", "the priority").map { UInt8(clamping: $0) }
    refuseMissing(of: notification.command, fields)
    notification.count = fields.integer("count", "the count") ?? 1
    return .notification(notification)
  }

  /// Reports fields for which the command's format has no place, because they would be left out silently.
  private static func refuseMissing(of command: UInt8, _ fields: Fields) {
    if command < 2 {
      fields["priority"]?.report("a priority requires command 2: command \(command) has none")
    }
    guard command == 0 else { return }
    for key in ["identifier", "expiry"] {
      guard let value = fields[key], value.scalar != "none" else { continue }
      value.report("command 0 has no \(key)")
    }
  }

  /// A device's name, or a token of any length in hex digits; `""` is no token at all.
  static func recipient(_ value: Value, _ draft: ScenarioDraft) -> TrafficNotification.Recipient? {
    guard let text = value.scalar else {
      value.mismatch("the name of a device, or a token in hex digits")
      return nil
    }
    if draft.devices[ExactText(text)] != nil { return .device(text) }
    guard let bytes = Hex.decode(text), bytes.count <= Int(UInt16.max) else {
      value.report(
        "no device is called \"\(text)\", and it is not a token in hex digits",
        suggestion: NearestName.find(text, among: draft.devices.keys.map(\.text).sorted())
      )
      return nil
    }
    return .token(bytes)
  }

  /// A mapping is written as JSON; a text is taken as it is, JSON or not.
  static func payload(_ value: Value) -> [UInt8]? {
    if let text = value.scalar { return Array(text.utf8) }
    return value.json.map { Array($0.description.utf8) }
  }

  /// Appends white space up to a size: after JSON it does not change the meaning.
  static func pad(_ payload: inout [UInt8], to value: Value) {
    guard let size = value.integer("the payload's size", 0...Int(UInt16.max)) else { return }
    guard size >= payload.count else {
      value.report("the payload already has \(payload.count) bytes")
      return
    }
    payload += Array(repeating: UInt8(ascii: " "), count: size - payload.count)
  }

  static func expiry(_ value: Value) -> TrafficNotification.Expiry? {
    guard let text = value.scalar else {
      value.mismatch(expectedExpiry)
      return nil
    }
    if text == "none" { return TrafficNotification.Expiry.none }
    if let number = Int64(text) {
      if let seconds = UInt32(exactly: number) { return .at(seconds) }
      if let seconds = Int32(exactly: number) { return .at(UInt32(bitPattern: seconds)) }
      value.mismatch("an expiry from \(Int32.min) to \(UInt32.max) (it has four bytes)")
    } else if let span = TimeSpan(text) {
      return .after(span)
    } else if Timestamp(text) != nil {
      return value.wireTime("the expiry").flatMap { UInt32(exactly: $0.seconds) }.map { .at($0) }
    } else {
      value.mismatch(expectedExpiry)
    }
    return nil
  }

  private static let expectedExpiry =
    "an expiry as seconds since 1970, as a time such as 2012-06-02T00:00:00Z, as a duration such as 1h, "
    + "or none"
}
