import APNSimWire

/// Frames written a second time, from the documents and not from the encoder: strings of hexadecimal digits, so that
/// nothing of the arithmetic is shared.
enum IndependentEncoder {
  static func encode(_ frame: NotificationFrame) -> [UInt8] {
    let token = digits(frame.token)
    let payload = digits(frame.payload)
    let identifier = frame.identifier?.hex
    let expiry = frame.expiry.map { padded(Int($0), 8) }
    switch frame.command {
    case 0:
      return hex("00" + length(token) + token + length(payload) + payload)
    case 1:
      let head = "01" + (identifier ?? "00000000") + (expiry ?? "00000000")
      return hex(head + length(token) + token + length(payload) + payload)
    default:
      let values = [
        "01": token, "02": payload, "03": identifier, "04": expiry,
        "05": frame.priority.map { padded(Int($0), 2) },
      ]
      let items = frame.itemOrder.map { id in
        guard let value = values[padded(Int(id), 2)], let value else { return "" }
        return padded(Int(id), 2) + length(value) + value
      }.joined()
      return hex("02" + padded(items.count / 2, 8) + items)
    }
  }

  private static func digits(_ bytes: [UInt8]) -> String {
    bytes.map { padded(Int($0), 2) }.joined()
  }

  private static func length(_ digits: String) -> String {
    padded(digits.count / 2, 4)
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: width - digits.count) + digits
  }
}

extension SeededGenerator {
  /// A notification that every gateway frames: sometimes with an odd token or payload, never broken.
  mutating func notification() -> NotificationFrame {
    let hasAll = Bool.random(using: &self)
    return NotificationFrame(
      command: UInt8.random(in: 0...2, using: &self),
      identifier: hasAll || Bool.random(using: &self)
        ? NotificationIdentifier(rawValue: UInt32(truncatingIfNeeded: next())) : nil,
      expiry: hasAll || Bool.random(using: &self) ? UInt32(truncatingIfNeeded: next()) : nil,
      priority: Bool.random(using: &self) ? [5, 10, 7].randomElement(using: &self) : nil,
      token: bytes(Bool.random(using: &self) ? 32 : Int.random(in: 1...100, using: &self)),
      payload: bytes(Int.random(in: 1...300, using: &self)),
      itemOrder: [1, 2, 3, 4, 5].shuffled(using: &self)
    )
  }
}
