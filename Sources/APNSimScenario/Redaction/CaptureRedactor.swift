internal import APNSimCore
internal import APNSimWire

/// Takes what is secret out of the lines of a capture, one after the other, without changing a verdict.
///
/// What goes: device tokens (stable pseudonyms of the same length), the strings of payloads (filled at the same
/// length), bytes that no frame could be made of, subjects of certificates (the topic stays). What stays: topics,
/// device and rule names, peers' addresses, times, identifiers, expiries, lengths, and whatever the magic of a token
/// says. Patterns (`matches`, `like`) of rules and expectations stay as they are written.
package struct CaptureRedactor {
  private let pseudonyms: TokenPseudonyms
  private var fields = LineFields()
  private var streams: [ConnectionID: Stream] = [:]

  /// What has to be known of a connection to read its next bytes.
  private struct Stream {
    var isDevice = false
    var isFeedback = false
    /// Nothing is read any more.
    var isUnreadable = false
    /// A frame that was answered early: what there was of it, before it was redacted.
    var begun: [UInt8] = []
  }

  package init(_ pseudonyms: TokenPseudonyms) { self.pseudonyms = pseudonyms }

  /// A line without its newline, the header included; what is no line of a capture becomes an empty object.
  package mutating func redact(_ line: UnsafeRawBufferPointer) -> [UInt8] {
    guard (try? fields.read(line)) != nil else { return Array("{}".utf8) }
    if fields.equals("event", "notification"), let redacted = notification(line) { return redacted }
    guard let value = try? JSONValue.parse(line), case .object(let members) = value else {
      return Array("{}".utf8)
    }
    let event = fields.string("event") ?? ""
    follow(event)
    var writer = JSONWriter(reservingCapacity: line.count)
    writer.beginObject()
    if event.isEmpty {
      header(members, to: &writer)
    } else {
      for member in members {
        writer.key(member.key)
        writer.value(redacted(member, of: event))
      }
    }
    writer.endObject()
    return writer.bytes
  }

  // MARK: Notifications

  /// In place, since nothing changes its length.
  private mutating func notification(_ line: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let base = line.baseAddress, let text = fields.quoted("raw"), let id = connection else {
      return nil
    }
    var raw: [UInt8] = []
    guard fields.base64("raw", into: &raw) else { return nil }
    var output = Array(line)
    func put(_ other: String, over place: UnsafeRawBufferPointer) {
      guard let start = place.baseAddress, other.utf8.count == place.count else { return }
      var other = other
      other.withUTF8 { bytes in
        output.withUnsafeMutableBytes {
          UnsafeMutableRawBufferPointer(rebasing: $0[(start - base)...])
            .copyMemory(from: UnsafeRawBufferPointer(bytes))
        }
      }
    }
    put(Base64.encode(FrameRedactor(pseudonyms: pseudonyms).redact(raw)), over: text)
    for key in ["token", "device"] as [StaticString] {
      guard let place = fields.quoted(key), place.count >= 2, let text = fields.string(key) else { continue }
      if "\(key)" == "token" || text.utf8.count >= 32, let other = pseudonyms.of(hex: text) {
        put(other, over: place)
      }
    }
    note(raw, on: id)
    return output
  }

  /// What follows on the connection depends on how the notification ended.
  private mutating func note(_ raw: [UInt8], on id: ConnectionID) {
    guard fields.equals("outcome", "rejected") else { return }
    if fields.equals("check", "command") || fields.equals("check", "framing") {
      streams[id, default: Stream()].isUnreadable = true
    }
    let isWhole = raw.withUnsafeBytes { FrameDecoder.next(in: $0, from: 0, mode: .reading) } != nil
    if !isWhole { streams[id, default: Stream()].begun = raw }
  }

  // MARK: Other lines

  private var connection: ConnectionID? {
    fields.number("connection", after: "c").flatMap { UInt32(exactly: $0) }.map { ConnectionID(rawValue: $0) }
  }

  private mutating func follow(_ event: String) {
    guard let id = connection else { return }
    switch event {
    case "connectionOpened":
      var stream = Stream()
      stream.isDevice = fields.equals("listener", "device")
      stream.isFeedback = fields.equals("listener", "feedback")
      streams[id] = stream
    case "faultFired": streams[id]?.isUnreadable = true
    case "connectionClosed": streams[id] = nil
    default: break
    }
  }

  private mutating func redacted(_ member: JSONValue.Member, of event: String) -> JSONValue {
    switch (event, member.key) {
    case ("bytesIn", "bytes"), ("bytesOut", "bytes"), ("feedbackRead", "bytes"):
      guard let text = member.value.stringValue, let bytes = Base64.decode(text) else { return .string("") }
      return .string(Base64.encode(bytesOf(event, bytes)))
    case (_, "subject"): return .string(subject())
    case (_, "provider"): return provider(member.value)
    default: return plain(member.key, member.value, isPayload: false)
    }
  }

  private mutating func bytesOf(_ event: String, _ bytes: [UInt8]) -> [UInt8] {
    let stream = connection.flatMap { streams[$0] } ?? Stream()
    if event == "feedbackRead" || stream.isFeedback { return tuples(bytes) }
    if stream.isDevice { return deviceLine(bytes) }
    if event == "bytesOut" { return bytes.count <= ErrorResponse.byteCount ? bytes : tuples(bytes) }
    let redactor = FrameRedactor(pseudonyms: pseudonyms)
    guard !stream.isUnreadable else { return [UInt8](repeating: 0xFF, count: bytes.count) }
    if !stream.begun.isEmpty {
      let whole = stream.begun + bytes
      if let id = connection {
        let isDone = whole.withUnsafeBytes { FrameDecoder.next(in: $0, from: 0, mode: .reading) } != nil
        streams[id]?.begun = isDone ? [] : whole
      }
      return Array(redactor.redact(whole).dropFirst(stream.begun.count))
    }
    return frames(bytes, redactor)
  }

  /// Bytes of an imported capture, or the unfinished end of a connection: frame after frame.
  private func frames(_ bytes: [UInt8], _ redactor: FrameRedactor) -> [UInt8] {
    var output: [UInt8] = []
    while output.count < bytes.count {
      let start = output.count
      guard let frame = bytes.withUnsafeBytes({ FrameDecoder.next(in: $0, from: start, mode: .reading) })
      else {
        output += redactor.redact(Array(bytes[start...]))
        break
      }
      guard frame.defect != .unknownCommand, frame.end > start, frame.end <= bytes.count else {
        output += [bytes[start]] + [UInt8](repeating: 0xFF, count: bytes.count - start - 1)
        break
      }
      output += redactor.redact(Array(bytes[start..<frame.end]))
    }
    return output
  }

  private func tuples(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    while bytes.count >= output.count + FeedbackTuple.headerByteCount {
      let at = output.count
      let length = Int(bytes[at + 4]) << 8 | Int(bytes[at + 5])
      output += bytes[at..<at + FeedbackTuple.headerByteCount]
      let token = Array(bytes[output.count...].prefix(length))
      output += pseudonyms.of(token, isWhole: token.count == length)
    }
    return output + bytes[output.count...]
  }

  /// A line between a device and the service: JSON with tokens in it.
  private func deviceLine(_ bytes: [UInt8]) -> [UInt8] {
    let hasEnd = bytes.last == 0x0A
    guard let value = try? JSONValue.parse(hasEnd ? bytes.dropLast() : bytes[...]) else {
      return bytes.map { $0 == 0x0A ? $0 : 0x78 }
    }
    var writer = JSONWriter()
    writer.value(plain("", value, isPayload: false))
    return writer.bytes + (hasEnd ? [0x0A] : [])
  }

  private func subject() -> String {
    let topic = fields.value("provider")?.member("topic")?.stringValue
    return topic.map { "UID=\($0)" } ?? ""
  }

  private func provider(_ value: JSONValue) -> JSONValue {
    guard case .object(let members) = value else { return .null }
    let topic = value.member("topic")?.stringValue ?? ""
    return .object(
      members.map { member in
        member.key == "subject" ? JSONValue.Member(key: "subject", value: .string("UID=\(topic)")) : member
      }
    )
  }

  // MARK: Values

  private func header(_ members: [JSONValue.Member], to writer: inout JSONWriter) {
    for member in members where member.key != "redacted" {
      writer.key(member.key)
      writer.value(plain(member.key, member.value, isPayload: false))
      guard member.key == "version" else { continue }
      writer.member("redacted", true)
    }
  }

  /// Strings by where they stand: tokens become pseudonyms, what a payload is compared with is filled as the payload.
  private func plain(_ key: String, _ value: JSONValue, isPayload: Bool) -> JSONValue {
    switch value {
    case .string(let text):
      if key == "token", let other = pseudonyms.of(hex: text) { return .string(other) }
      if isPayload, key != "matches", key != "like" { return .string(Self.filled(text)) }
      return .string(pseudonyms.replaced(in: text))
    case .array(let elements): return .array(elements.map { plain(key, $0, isPayload: isPayload) })
    case .object(let members):
      return .object(
        members.map { member in
          let isBelow = isPayload || member.key == "payload" || member.key.hasPrefix("payload.")
          return JSONValue.Member(
            key: pseudonyms.replaced(in: member.key),
            // A setting is called payload as well, and is no object.
            value: plain(member.key, member.value, isPayload: isBelow && key != "settings")
          )
        }
      )
    case .null, .bool, .number: return value
    }
  }

  private static func filled(_ text: String) -> String {
    let quoted = PayloadFiller.fill(Array("\"\(text)\"".utf8))
    return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
  }
}
