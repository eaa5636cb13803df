import APNSimWire

/// The usual mistakes in a frame, told by the shape they give to its bytes. Each answer is a hint, nil where the bytes
/// have no such shape.
struct FrameMistakes {
  let command: UInt8
  /// The frame as sent, up to the byte on which it was refused.
  let bytes: UnsafeRawBufferPointer
  let fields: NotificationFields
  let limits: FrameLimits

  private var token: UnsafeRawBufferPointer { fields.token(in: bytes) }
  private var tokenLength: Int { Int(fields.tokenLength) }
  private var payloadLength: Int { Int(fields.payloadLength) }

  // MARK: Token

  /// The mistake behind a token of a size that no device has.
  var tokenSize: String? {
    if let textualToken { return textualToken }
    // Bytes that came are judged by what they are, above; the length tells where they did not.
    switch token.count < Self.enoughToTell ? tokenLength : 0 {
    case 43, 44: return "\(tokenLength) bytes look like Base64: send the 32 binary bytes"
    case 64: return "64 bytes look like hex digits: send the 32 binary bytes"
    case 66, 71, 73:
      return
        "\(tokenLength) bytes look like hex digits with angle brackets or spaces: send the 32 binary bytes"
    default: break
    }
    if command == 1, bytes.count > 2, limits.tokenSizes.contains(number(at: 1)) {
      return "the bytes have the layout of command 0: command 1 has an identifier and an expiry first"
    }
    return misreadLength(tokenLength, isRight: limits.tokenSizes.contains)
  }

  /// The mistake behind a token that is text; nil for a binary one.
  var textualToken: String? {
    let token = token
    guard let form = TokenForm(token), form.isCertain || token.count >= Self.enoughToTell else { return nil }
    // A text whose length was given as that of the bytes it names goes on where the payload's length should be.
    let next = Int(fields.tokenStart) + token.count
    let goesOn = next < bytes.count && TokenForm.isText(bytes[next])
    let going = goesOn && token.count == 32 ? ", and the text goes on after them" : ""
    switch form {
    case .hex, .base64:
      guard form == .hex || token.count == 43 || token.count == 44 || !going.isEmpty else { return nil }
      return "the token's \(token.count) bytes are \(form.words)\(going): \(form.remedy("the bytes"))"
    default: return "the token is \(form.words): \(form.remedy("the bytes"))"
    }
  }

  // MARK: Lengths

  /// The mistake behind a payload of more than the allowed bytes.
  var payloadSize: String? {
    if let textualToken { return textualToken }
    // The whole frame is there: its lengths are right.
    guard fields.payloadStart == 0 else { return nil }
    return misreadLength(payloadLength) { $0 >= Self.shortestPayload && $0 <= limits.payload(of: command) }
      ?? (payloadLength & 0xFF == Self.brace ? oneByte(payloadLength) : nil)
  }

  /// The mistake behind bytes of command 2 that are no frame, at an offset.
  func framing(_ defect: FrameDefect, at offset: Int) -> String? {
    switch defect {
    case .frameTooLong, .emptyFrame: return frameLength
    case .wrongItemLength: return itemLength(at: offset) ?? misplacedItem
    case .itemOverrun:
      guard let length = optionalNumber(at: offset) else { return nil }
      if let misplacedItem { return misplacedItem }
      let left = bytes.count - offset - 2
      return littleEndian(length) { $0 > 0 && $0 <= left }
        ?? (bytes[offset - 1] == 2 && length & 0xFF == Self.brace ? oneByte(length) : nil)
    case .strayBytes, .unknownItem, .duplicateItem: return misplacedItem
    case .none, .unknownCommand: return nil
    }
  }

  private var frameLength: String? {
    guard bytes.count >= 5 else { return nil }
    let length = bytes[1..<5].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    let swapped = length.byteSwapped
    if swapped > 0, swapped <= 65_535, Int(swapped) <= limits.frame {
      return "\(Hex.encode(bytes[1..<5])) is \(swapped) in little endian: lengths are big endian"
    }
    let isItem = (1...5).contains(bytes[3]) && bytes[4] == 0
    return isItem
      ? "an item begins after two bytes: the length of a command 2 frame has four" : nil
  }

  /// An item of fixed length that has another one.
  private func itemLength(at offset: Int) -> String? {
    guard offset > 0, let length = optionalNumber(at: offset) else { return nil }
    let id = bytes[offset - 1]
    if let hint = littleEndian(length, isRight: { $0 == (id == 5 ? 1 : 4) }) { return hint }
    if id == 4, length == 8 {
      return "the expiry is 4 bytes of seconds since 1970, not 8 bytes of milliseconds"
    }
    if id == 3, [8, 16, 36].contains(length) { return "the identifier is 4 bytes of the provider's choice" }
    if id == 5, length == 4 { return "the priority is one byte, 10 or 5" }
    return nil
  }

  /// The item before the one that could not be read, if it is text or ends too early.
  private var misplacedItem: String? { textualToken ?? cutPayload }

  private func misreadLength(_ length: Int, isRight: (Int) -> Bool) -> String? {
    if let hint = littleEndian(length, isRight: isRight) { return hint }
    return isRight(length >> 8) && length & 0xFF > 0 && length == tokenLength ? oneByte(length) : nil
  }

  private func littleEndian(_ length: Int, isRight: (Int) -> Bool) -> String? {
    let swapped = Int(UInt16(truncatingIfNeeded: length).byteSwapped)
    guard isRight(swapped) else { return nil }
    return "\(digits(length)) is \(swapped) in little endian: lengths are big endian"
  }

  private func oneByte(_ length: Int) -> String {
    "\(digits(length)) is a length of one byte, \(length >> 8), and what follows it: lengths have two bytes"
  }

  private func digits(_ length: Int) -> String {
    let digits = Hex.encode([UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)])
    return "\(digits.prefix(2)) \(digits.suffix(2))"
  }

  private func number(at offset: Int) -> Int { optionalNumber(at: offset) ?? -1 }

  private func optionalNumber(at offset: Int) -> Int? {
    guard offset >= 0, offset + 2 <= bytes.count else { return nil }
    return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  /// The bytes of a token that tell whether it is text.
  private static let enoughToTell = 16
  /// `{"aps":{}}`
  private static let shortestPayload = 10
  private static let brace = 0x7B

  // MARK: Payload

  /// The mistake behind a payload that ends too early; nil for one that does not.
  var cutPayload: String? {
    let payload = fields.payload(in: bytes)
    guard payload.count > 0 else { return nil }
    let carrier = PayloadMistakes.Carrier.frame(command: command, limit: limits.payload(of: command))
    return PayloadMistakes(payload: payload, carrier: carrier, following: following).cut
  }

  /// The bytes of the frame after the payload.
  var following: UnsafeRawBufferPointer {
    let end = Int(fields.payloadStart) + fields.payloadByteCount
    guard fields.payloadStart > 0, end < bytes.count else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return bytes.part(from: end, count: bytes.count - end)
  }

  // MARK: Values

  /// The small number that an identifier is in the other byte order; nil for one that is a small number itself.
  var identifierInHostOrder: UInt32? {
    let value = fields.identifier.rawValue
    guard fields.hasIdentifier, value != 0, value & 0xFFFF == 0 else { return nil }
    return value.byteSwapped
  }

  /// The mistake behind an expiry that is no date of this time.
  /// - Parameter now: the moment at which it came.
  func expiry(at now: Timestamp) -> String? {
    let bits = UInt32(truncatingIfNeeded: fields.expiry)
    let year: Int64 = 31_536_000
    guard fields.hasExpiry, bits > 0, bits != 0x7FFF_FFFF, bits != .max,
      fields.expiry >= -1 || bits < 0xFF00_0000,
      abs(Int64(bits) - now.seconds) > 10 * year
    else { return nil }
    let isSwapped = abs(Int64(bits.byteSwapped) - now.seconds) < 2 * year
    // The low 32 bits of a time from an hour ago to a week from now.
    let isInMilliseconds =
      bits &- UInt32(truncatingIfNeeded: now.rawValue &- 3_600_000) < 7 * 86_400_000 as UInt32
    if Int64(bits) < 10 * year, !isSwapped || Int64(bits) < year {
      let place = "expiry \(bits) lies in \(Int64(bits) < year ? "1970" : "the 1970s")"
      guard isInMilliseconds else { return "\(place): it is a date in seconds, not a duration" }
      // Nobody keeps a notification for years; a shorter time may be either.
      if Int64(bits) < year {
        return "\(place): it is a date in seconds, not a duration, nor milliseconds, cut to 32 bits"
      }
    } else if isSwapped {
      return "expiry \(bits) is \(bits.byteSwapped) in little endian: it is big endian"
    }
    return isInMilliseconds
      ? "expiry \(bits) looks like milliseconds, cut to 32 bits: it is a date in seconds" : nil
  }
}
