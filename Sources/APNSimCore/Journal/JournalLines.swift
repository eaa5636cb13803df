import APNSimWire

/// Renders records and events as the lines of a journal: one JSON object a line, keys in a fixed order.
///
/// A notification's line is written straight from its record, without strings or allocations in between. It says the
/// facts and has the bytes as sent; what can be derived from them is not in it, nor the interface, which is the
/// binary one in a line that names none. docs/journal.md has the format.
final class JournalLines {
  let output = LineBuffer()
  private var writer = JSONWriter()
  /// The members that the lines of one read have in common.
  private var common = CommonMembers()
  /// The authorization of the request before, which is mostly that of the next one, and its member.
  private var latest: (authorization: RequestAuthorization, member: [UInt8])?

  /// The lines rendered so far, valid until more is done with this.
  var bytes: UnsafeRawBufferPointer { output.bytes }

  func removeAll() { output.removeAll() }

  func append(_ record: EventRecord) {
    writer.removeAll()
    writer.beginObject()
    writer.member("seq", record.seq)
    writer.member("time", record.time.description)
    writer.member("event", record.event.name)
    record.event.writeMembers(to: &writer)
    writer.endObject()
    writer.newline()
    output.reserve(writer.bytes.count)
    writer.bytes.withUnsafeBytes { output.put($0) }
  }

  /// A notification as it came in, with what became of it at once.
  func append(
    _ record: NotificationRecord,
    number: UInt64,
    evidence: UnsafeRawBufferPointer,
    topic: String,
    device: String?
  ) {
    common.update(record, topic: topic)
    output.reserve(640 + common.bytes.count + evidence.count / 3 * 4)
    output.put("{\"seq\":")
    output.put(decimal: record.seq)
    output.put(",\"time\":\"")
    output.put(record.time)
    output.put("\",\"event\":\"notification\",\"id\":\"n")
    output.put(decimal: number)
    common.bytes.withUnsafeBytes { output.put($0) }
    putFields(of: record, in: evidence)
    if let device {
      put("device", device)
      output.reserve(128 + evidence.count / 3 * 4)
    }
    output.put(",\"outcome\":\"")
    output.put(record.entry.name)
    output.put("\"")
    if record.entry == .rejected || record.rule > 0 || record.magic { putReason(record) }
    if record.replaced > 0 {
      output.put(",\"replaced\":\"n")
      output.put(decimal: record.replaced)
      output.put("\"")
    }
    output.put(",\"raw\":\"")
    output.put(base64: evidence)
    output.put("\"}\n")
  }

  private func put(_ key: StaticString, _ value: String) {
    writer.removeAll()
    writer.string(value)
    output.reserve(64 + writer.bytes.count)
    output.put(",\"")
    output.put(key)
    output.put("\":")
    writer.bytes.withUnsafeBytes { output.put($0) }
  }

  /// Token, command and identifier.
  @inline(__always)
  private func putFields(of record: borrowing NotificationRecord, in evidence: UnsafeRawBufferPointer) {
    let fields = record.fields
    // Where the payload's declared length decided, the line has the frame's beginning and no token.
    let isBeginning = fields.payloadStart == 0 && fields.payloadLength > 0
    let token = fields.token(in: evidence)
    if token.count > 0, token.count <= TokenSizes.maximum, !isBeginning {
      output.put(",\"token\":\"")
      output.put(hex: token)
      output.put("\"")
    }
    if case .binary(let command, _) = record.interface {
      output.put(",\"command\":")
      output.put(decimal: UInt64(command))
    } else {
      putRequest(record, in: evidence)
    }
    if fields.hasIdentifier {
      output.put(",\"identifier\":\"")
      withUnsafeBytes(of: fields.identifier.rawValue.bigEndian) { output.put(hex: $0) }
      output.put("\"")
    }
  }

  /// The request's own members, and its answer: what ``RequestView`` writes, straight from the evidence.
  @inline(never)
  private func putRequest(_ record: NotificationRecord, in bytes: UnsafeRawBufferPointer) {
    guard let evidence = RequestEvidence(bytes) else { return }
    output.put(",\"interface\":\"http2\",\"stream\":")
    output.put(decimal: UInt64(evidence.stream))
    let texts = evidence.texts
    if let madeId = evidence.madeId {
      output.put(",\"apnsId\":\"")
      output.put(madeId)
      output.put("\"")
    } else if texts.identifier.isPresent {
      put(",\"apnsId\":", texts.identifier, in: bytes)
    } else {
      output.put(",\"apnsId\":null")
    }
    put(",\"collapseId\":", texts.collapseId, in: bytes)
    put(",\"pushType\":", texts.pushType, in: bytes)
    putAuthorization(of: evidence)
    putAnswer(RequestStatus(record))
    if record.isAnswerLater { output.put(",\"answerWaits\":true") }
    if evidence.openFor > 0 {
      put("opened", (record.time + .milliseconds(-Int64(evidence.openFor))).description)
    }
    output.reserve(640 + bytes.count / 3 * 4)
  }

  /// A text of the evidence, where it is there.
  private func put(_ key: StaticString, _ text: ByteRange, in bytes: UnsafeRawBufferPointer) {
    guard text.isPresent else { return }
    let text = text.bytes(in: bytes)
    output.reserve(64 + text.count)
    output.put(key)
    if text.allSatisfy({ $0 >= 0x20 && $0 < 0x80 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      output.put("\"")
      output.put(text)
      output.put("\"")
    } else {
      writer.removeAll()
      writer.string(String(decoding: text, as: UTF8.self))
      output.reserve(64 + writer.bytes.count)
      writer.bytes.withUnsafeBytes { output.put($0) }
    }
  }

  private func putAuthorization(of evidence: RequestEvidence) {
    if latest.map({ evidence.hasAuthorization($0.authorization) }) != true {
      let authorization = evidence.authorization
      writer.removeAll()
      authorization.write(to: &writer)
      latest = (authorization, writer.bytes)
    }
    guard let member = latest?.member else { return }
    output.reserve(64 + member.count)
    output.put(",\"auth\":")
    member.withUnsafeBytes { output.put($0) }
  }

  private func putAnswer(_ answer: RequestStatus) {
    output.put(",\"status\":")
    if let number = answer.number { output.put(decimal: UInt64(number)) } else { output.put("null") }
    if let reason = answer.reason { put("reason", reason.name()) }
  }

  /// The reason of the outcome: status, check, rule, magic.
  private func putReason(_ record: NotificationRecord) {
    if record.status > 0, record.interface != .http2 {
      output.put(",\"status\":")
      output.put(decimal: UInt64(record.status))
    }
    if record.failed != .none, record.failed != .rule { put("check", record.failed.name) }
    if record.rule > 0 {
      output.put(",\"rule\":")
      output.put(decimal: UInt64(record.rule))
    }
    if record.magic { output.put(",\"magic\":true") }
  }
}
