import APNSimCore
import APNSimWire

/// Removes secrets from the lines of a capture, one after the other, without changing a verdict.
///
/// Lines keep their number, order and lengths. Where the bytes of a provider are cut inside a frame, they and the lines
/// after them wait until the frame is whole or its connection ends.
///
/// Replaced are: device tokens (by stable pseudonyms of the same length), the strings and long numbers of payloads
/// (filled at the same length, different ones differently), both in rules and expectations, the generated names of
/// expectations, bytes that are no frame, what is not known of the header lists of requests, subjects of certificates
/// (the topic stays), and the strings of devices' lines that are no part of their protocol. Kept are: topics, given names, peers' addresses, times, identifiers, expiries,
/// lengths, and the bytes by which a magic token scripts itself. Patterns (`matches`, `like`) and bounds (`gt`, `lt`)
/// of rules and expectations stay as they are written.
package struct CaptureRedactor {
  private let pseudonyms: TokenPseudonyms
  private let strings: StringFilling
  private let values: ValueRedactor
  private let requests: RequestRedactor
  /// The redacted request of the present line.
  private var request: [UInt8]?
  private var fields = LineFields()
  private var shape = NotificationLine()
  private var memory = NotificationLine.Memory()
  private var streams: [ConnectionID: Stream] = [:]
  private var held: HeldLines

  /// The state of a connection for redacting its next bytes.
  private struct Stream {
    var listener = Listener.gateway
    var input: FrameStream
    var tuples: TupleStream
    var device: DeviceLineRedaction
    /// The position of the gateway in an error response; nil after a byte that is of none.
    var answered: Int? = 0
    /// The lines that lack bytes of the input, in their order.
    var waiting: [Int] = []

    init(_ frames: FrameRedactor) {
      (input, tuples) = (FrameStream(frames), TupleStream(frames.pseudonyms))
      device = DeviceLineRedaction(frames.pseudonyms, frames.strings)
    }
  }

  /// - Parameter most: the most bytes of lines that wait. A string of a frame that is not whole by then may be filled
  /// in
  /// two parts.
  package init(_ pseudonyms: TokenPseudonyms, holding most: Int = 16 << 20) {
    self.pseudonyms = pseudonyms
    strings = StringFilling(pseudonyms)
    let texts = RequestTexts(pseudonyms)
    values = ValueRedactor(pseudonyms, strings, texts)
    requests = RequestRedactor(pseudonyms: pseudonyms, strings: strings, texts: texts)
    held = HeldLines(most: most)
  }

  /// Takes a line without its newline, the header included, and appends the lines that are ready to `output`. A text
  /// that is no line of a capture becomes an empty object.
  package mutating func redact(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) {
    take(line)
    held.release(into: &output)
    guard let id = held.overdue else { return }
    fill(id) { $0.give() }
    held.release(into: &output)
  }

  /// Appends the lines that wait to `output`, the bytes of frames that are not whole redacted by their place.
  mutating func release(into output: inout [UInt8]) {
    for id in streams.keys.sorted() { fill(id) { $0.give() } }
    held.release(into: &output)
  }

  /// Ends the lines: appends the rest to `output`.
  package mutating func finish(into output: inout [UInt8]) {
    for id in streams.keys.sorted() { fill(id) { $0.lose() } }
    held.release(into: &output)
  }

  private var frames: FrameRedactor { FrameRedactor(pseudonyms: pseudonyms, strings: strings) }

  private mutating func take(_ line: UnsafeRawBufferPointer) {
    guard (try? fields.read(line)) != nil else { return held.append(Array("{}".utf8)) }
    if shape.read(line, &memory), shape.raw.offset(of: UInt8(ascii: "\\")) == nil,
      let redacted = notification(line)
    {
      return held.append(redacted)
    }
    // A reader accepts a text that is no UTF-8, and repairs it.
    let value = (try? JSONValue.parse(line)) ?? (try? JSONValue.parse(String(decoding: line, as: UTF8.self)))
    guard case .object(let members)? = value else {
      return held.append(Array("{}".utf8))
    }
    let event = fields.string("event") ?? ""
    follow(event)
    var raw: [UInt8] = []
    if event == "notification", fields.base64("raw", into: &raw), let connection { note(raw, on: connection) }
    request = event == "request" || event == "notification" && isRequest ? redactedRequest : nil
    var writer = JSONWriter(reservingCapacity: line.count)
    var lacking: (bytes: [UInt8], place: Int)?
    writer.beginObject()
    if event.isEmpty {
      header(members, to: &writer)
    } else {
      for member in members {
        writer.key(member.key)
        if let bytes = bytesIn(member, of: event) {
          lacking = (bytes, writer.bytes.count + 1)
          writer.base64([UInt8](repeating: 0, count: bytes.count))
        } else {
          writer.value(redacted(member, of: event))
        }
      }
    }
    writer.endObject()
    guard let (bytes, place) = lacking, let id = connection else { return held.append(writer.bytes) }
    streams[id]?.waiting.append(held.append(writer.bytes, lacking: bytes.count, at: place, of: id))
    let isCut = fields.int("count").map { $0 > bytes.count } ?? false
    fill(id) { $0.receive(bytes) + (isCut ? $0.lose() : []) }
  }

  /// Writes the redacted bytes of a connection into its lines.
  private mutating func fill(_ id: ConnectionID, _ give: (inout FrameStream) -> [UInt8]) {
    guard var stream = streams.removeValue(forKey: id) else { return }
    defer { streams[id] = stream }
    var bytes = give(&stream.input)[...]
    let done = stream.waiting.prefix { held.fill($0, from: &bytes) }.count
    stream.waiting.removeFirst(done)
  }

  // MARK: Notifications

  /// Redacts a line in the simulator's own spelling in place, because nothing changes its length.
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
    put(Base64.encode(frames.redact(raw)), over: text)
    if let place = fields.quoted("token"), let other = pseudonym(of: place, "token") {
      put(other, over: place)
    }
    if let place = fields.quoted("device"), place.count >= 32, let other = pseudonym(of: place, "device") {
      put(other, over: place)
    }
    note(raw, on: id)
    return output
  }

  /// The pseudonym of a member's token in hex digits; nil for any other text.
  private func pseudonym(of digits: UnsafeRawBufferPointer, _ key: StaticString) -> String? {
    if let token = Hex.decode(digits), !token.isEmpty {
      return Hex.encode(pseudonyms.of(token, length: token.count))
    }
    return digits.contains(UInt8(ascii: "\\")) ? fields.string(key).flatMap { pseudonyms.of(hex: $0) } : nil
  }

  /// Sets the state of the connection after a notification, by its outcome.
  private mutating func note(_ raw: [UInt8], on id: ConnectionID) {
    guard fields.equals("outcome", "rejected"), !isRequest else { return }
    if streams[id] == nil { streams[id] = Stream(frames) }
    if fields.equals("check", "command") || fields.equals("check", "framing") { fill(id) { $0.lose() } }
    let isWhole = raw.withUnsafeBytes { FrameDecoder.next(in: $0, from: 0, mode: .reading) } != nil
    guard !isWhole else { return }
    fill(id) { $0.give() }
    streams[id]?.input.begin(with: raw)
  }

  /// True for the line of a notification that came as a request.
  private var isRequest: Bool { fields.equals("interface", "http2") }

  // MARK: Other lines

  private var connection: ConnectionID? {
    fields.number("connection", after: "c").flatMap { UInt32(exactly: $0) }.map { ConnectionID(rawValue: $0) }
  }

  private mutating func follow(_ event: String) {
    guard let id = connection else { return }
    switch event {
    case "connectionOpened":
      fill(id) { $0.lose() }
      var stream = Stream(frames)
      stream.listener = fields.string("listener").flatMap(Listener.init(rawValue:)) ?? .gateway
      stream.device.environment =
        fields.string("environment").flatMap(PushEnvironment.init(rawValue:)) ?? .production
      streams[id] = stream
    case "faultFired":
      // The rest of a frame comes soon, unless nothing is read any more: then nothing waits for it.
      if !fields.equals("fault", "reset"), !fields.equals("fault", "close") { fill(id) { $0.give() } }
    case "bytesMissing":
      if fields.equals("direction", "out") { streams[id]?.tuples.lose() } else { fill(id) { $0.lose() } }
    case "framesFound":
      fill(id) { $0.lose() }
      let found = FrameStream(frames)
      streams[id]?.input = found
    case "connectionClosed":
      fill(id) { $0.lose() }
      streams[id] = nil
    default: break
    }
  }

  /// Redacts a line's bytes from a provider to a gateway, which may be decided by later ones.
  private func bytesIn(_ member: JSONValue.Member, of event: String) -> [UInt8]? {
    guard event == "bytesIn", member.key == "bytes", let id = connection, streams[id]?.listener == .gateway,
      let text = member.value.stringValue
    else { return nil }
    return Base64.decode(text)
  }

  private mutating func redacted(_ member: JSONValue.Member, of event: String) -> JSONValue {
    if let request, let value = value(of: member, request) { return value }
    switch (event, member.key) {
    case ("bytesIn", "bytes"), ("bytesOut", "bytes"), ("feedbackRead", "bytes"), ("notification", "raw"),
      ("request", "raw"):
      guard let text = member.value.stringValue, let bytes = Base64.decode(text) else { return .string("") }
      return .string(Base64.encode(bytesOf(event, bytes)))
    // Its digits are never a token, whatever their number.
    case (_, "time"): return member.value
    case (_, "subject"): return .string(subject())
    case (_, "provider"): return provider(member.value)
    case ("expectation", "expects"):
      return .string(values.redacted(name: member.value.stringValue ?? ""))
    case (_, "do"):
      values.seek(member.value)
      return values.redacted(member.value, of: member.key)
    default: return values.redacted(member.value, of: member.key)
    }
  }

  private mutating func bytesOf(_ event: String, _ bytes: [UInt8]) -> [UInt8] {
    guard let id = connection else { return FrameStream.blots(bytes.count) }
    if event == "feedbackRead", streams[id] == nil { streams[id] = Stream(frames) }
    switch (event, streams[id]?.listener) {
    case ("feedbackRead", _), ("bytesOut", .feedback):
      return streams[id]?.tuples.receive(bytes) ?? FrameStream.blots(bytes.count)
    case ("notification", _): return frames.redact(bytes)
    case ("bytesIn", .device):
      return streams[id]?.device.said(bytes) ?? FrameStream.blots(bytes.count)
    case (_, .device): return streams[id]?.device.told(bytes) ?? FrameStream.blots(bytes.count)
    case ("bytesOut", .gateway): return answer(bytes, on: id)
    default: return FrameStream.blots(bytes.count)
    }
  }

  private var redactedRequest: [UInt8] {
    var raw: [UInt8] = []
    return fields.base64("raw", into: &raw) ? requests.redact(raw) : []
  }

  /// The value of a member that a request's line has beside its bytes, as a replay would write it; nil for another member.
  private func value(of member: JSONValue.Member, _ request: [UInt8]) -> JSONValue? {
    if member.key == "raw" { return .string(Base64.encode(request)) }
    guard ["apnsId", "collapseId", "pushType"].contains(member.key), member.value != .null else { return nil }
    return request.withUnsafeBytes { bytes in
      guard let evidence = RequestEvidence(bytes) else { return nil }
      let request = evidence.request
      let text =
        switch member.key {
        case "apnsId": evidence.messageId(of: request)
        case "collapseId": evidence.text(of: request.collapseId)
        default: evidence.text(of: request.pushTypeText)
        }
      return text.map { .string($0) }
    }
  }

  /// Redacts error responses, of which other gateways may send several.
  private mutating func answer(_ bytes: [UInt8], on id: ConnectionID) -> [UInt8] {
    var place = streams[id]?.answered
    defer { streams[id]?.answered = place }
    for (index, byte) in bytes.enumerated() {
      guard let known = place, known > 0 || byte == ErrorResponse.command else {
        place = nil
        return bytes.prefix(index) + FrameStream.blots(bytes.count - index)
      }
      place = (known + 1) % ErrorResponse.byteCount
    }
    return bytes
  }

  private func subject() -> String {
    fields.value("provider").map { subject(of: $0) } ?? ""
  }

  private func provider(_ value: JSONValue) -> JSONValue {
    guard case .object(let members) = value else { return .null }
    return .object(
      members.map { member in
        let isSubject = member.key == "subject"
        let other = isSubject ? .string(subject(of: value)) : values.redacted(member.value, of: member.key)
        return JSONValue.Member(key: member.key, value: other)
      }
    )
  }

  private func subject(of provider: JSONValue) -> String {
    guard case .string(let topic)? = provider.member("topic").map({ values.redacted($0, of: "topic") }) else {
      return ""
    }
    return "UID=\(topic)"
  }

  // MARK: The header

  private func header(_ members: [JSONValue.Member], to writer: inout JSONWriter) {
    values.seek(.object(members))
    for member in members where member.key != "redacted" {
      writer.key(member.key)
      writer.value(values.redacted(member.value, of: member.key))
      guard member.key == "version" else { continue }
      writer.member("redacted", true)
    }
  }
}
