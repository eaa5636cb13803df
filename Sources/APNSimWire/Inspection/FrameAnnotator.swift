/// Splits one notification frame into the lines of ``AnnotatedHex``.
struct FrameAnnotator {
  private let frame: Frame
  private let buffer: UnsafeRawBufferPointer
  private(set) var lines: [AnnotatedHex.Line] = []

  init(_ frame: Frame, in buffer: UnsafeRawBufferPointer) {
    self.frame = frame
    self.buffer = buffer
    field("command", 0..<1, commandName)
    switch frame.command {
    case 0 where frame.defect == .none: unframed(fieldsAt: 1)
    case 1 where frame.defect == .none:
      field("identifier", 1..<5, frame.identifier.meaning)
      field("expiration date", 5..<9, expiry(frame.expiry))
      unframed(fieldsAt: 9)
    case 2 where frame.defect != .unknownCommand: framed()
    default: break
    }
    if frame.form == .malformed { markDefect() }
  }

  private var commandName: String {
    if frame.defect == .unknownCommand { return "\(frame.command), unknown command" }
    switch frame.command {
    case 0: return "0, simple notification"
    case 1: return "1, enhanced notification"
    default: return "2, framed notification"
    }
  }

  /// Adds the two fields that have a length, as far as the frame was read.
  private mutating func unframed(fieldsAt start: Int) {
    field("token length", start..<start + 2, "\(frame.tokenLength)")
    guard frame.hasPayload else { return stopped() }
    token(frame.token)
    let payloadLength = frame.token.upperBound - frame.start
    field("payload length", payloadLength..<payloadLength + 2, "\(frame.payloadLength)")
    guard frame.form == .complete else { return stopped() }
    payload(frame.payload)
  }

  private mutating func stopped() {
    guard let last = lines.indices.last else { return }
    lines[last].meaning += ", refused on the declared length"
  }

  private mutating func framed() {
    field("frame length", 1..<5, "\(buffer.bigEndian(UInt32.self, at: frame.start + 1))")
    var end = frame.start + 5
    for item in FrameItems(frame, in: buffer) {
      append("item", item.offset..<item.offset + 1, name(of: item.id))
      append("item length", item.offset + 1..<item.offset + 3, "\(item.length)")
      data(of: item)
      end = item.data.upperBound
    }
    let rest = end..<max(end, min(frame.end, buffer.count))
    lines += AnnotatedHex.lines(ofUnread: buffer[rest], at: rest.lowerBound, meaning: "")
  }

  private func name(of id: UInt8) -> String {
    switch id {
    case 1: "1, device token"
    case 2: "2, payload"
    case 3: "3, notification identifier"
    case 4: "4, expiration date"
    case 5: "5, priority"
    default: "\(id), unknown item"
    }
  }

  private mutating func data(of item: FrameItem) {
    let start = item.data.lowerBound
    switch item.id {
    case 1: token(item.data)
    case 2: payload(item.data)
    case 3:
      let value = word(item).map { NotificationIdentifier(rawValue: $0).meaning }
      append("identifier", item.data, value ?? "")
    case 4: append("expiration date", item.data, word(item).map(expiry) ?? "")
    case 5: append("priority", item.data, item.data.count == 1 ? "\(buffer[start])" : "")
    default: append("data", item.data, "")
    }
  }

  /// The integer of an item of four bytes; nil for any other length.
  private func word(_ item: FrameItem) -> UInt32? {
    item.data.count == 4 && item.length == 4 ? buffer.bigEndian(UInt32.self, at: item.data.lowerBound) : nil
  }

  /// Appends the defect to the line in which it lies.
  private mutating func markDefect() {
    let place = lines.lastIndex { $0.offset <= frame.defectOffset } ?? 0
    guard lines.indices.contains(place) else { return }
    let separator = lines[place].meaning.isEmpty ? "" : " "
    lines[place].meaning += separator + AnnotatedHex.Line.mark + frame.defect.summary
    lines[place].error = frame.defect.summary
  }

  private mutating func token(_ range: Range<Int>) {
    append("device token", range, "")
  }

  /// Adds the payload, with its ASCII text beside it.
  private mutating func payload(_ range: Range<Int>) {
    let rows = AnnotatedHex.rows(
      AnnotatedHex.payloadName,
      Array(buffer[range]),
      at: range.lowerBound,
      meaning: ""
    )
    lines += rows.map { row in
      var row = row
      row.meaning = String(decoding: row.bytes.map { $0 >= 0x20 && $0 < 0x7F ? $0 : 0x2E }, as: UTF8.self)
      return row
    }
  }

  private func expiry(_ value: UInt32) -> String {
    switch Int32(bitPattern: value) {
    case 0: "0, do not store"
    case ..<0: "\(value), \(CivilTime(value)); negative where the field is signed"
    default: "\(value), \(CivilTime(value))"
    }
  }

  /// Adds a field at offsets from the frame's start.
  private mutating func field(_ name: String, _ range: Range<Int>, _ meaning: String) {
    append(name, frame.start + range.lowerBound..<frame.start + range.upperBound, meaning)
  }

  private mutating func append(_ name: String, _ range: Range<Int>, _ meaning: String) {
    lines += AnnotatedHex.rows(name, Array(buffer[range]), at: range.lowerBound, meaning: meaning)
  }
}
