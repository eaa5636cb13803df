package import APNSimWire

/// A request as evidence: one encoding, which the history keeps, the journal has and a replay reads.
///
/// Big-endian: version (1 byte), scheme of the authorization with the highest bits for a certificate and ``WhiteSpace`` (1), length of the
/// device token (2), stream (4), bytes of the body as sent (4) and as kept (2), bytes of the finding about the provider
/// token (2) and of the header list (4), the `apns-id` that was made for it (16, zero for none). Then the device token's
/// bytes, the body, the finding and the header list: each field's lengths of name and value (2 each), name and value.
/// The value of `authorization` is not in it, and whatever else has the shape of a provider token is blotted out. Of version 2, the milliseconds from the header list to the request's end
/// follow (4): it came in several reads. Of version 3, the provider's real time (8) follows, by which the age of its token was
/// taken at first sight.
package struct RequestEvidence {
  package let bytes: UnsafeRawBufferPointer
  private let head: Head

  static let version: UInt8 = 1
  static let versionWithOpening: UInt8 = 2
  static let versionWithRealTime: UInt8 = 3
  static let openingByteCount = 4
  static let realTimeByteCount = 8
  /// The most bytes of times after the header list.
  static var mostTimesByteCount: Int { realTimeByteCount }
  static let headByteCount = 36
  static let identifierPlace = 20
  /// As much of a body is kept; none that is longer is ever accepted.
  package static let mostBody = 8_000
  /// The number of fields with room on the stack.
  private static let usualFields = 32

  private struct Head: BitwiseCopyable {
    var tokenCount = 0
    var bodyCount = 0
    var keptCount = 0
    var findingCount = 0
    var headersCount = 0
    /// The bytes of times after the header list.
    var timesCount = 0
  }

  /// Nil for bytes that are no such encoding.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headByteCount, Self.version...Self.versionWithRealTime ~= bytes[0] else {
      return nil
    }
    func number<Value: FixedWidthInteger>(_ offset: Int, _: Value.Type) -> Int {
      Int(Value(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)))
    }
    let head = Head(
      tokenCount: number(2, UInt16.self),
      bodyCount: number(8, UInt32.self),
      keptCount: number(12, UInt16.self),
      findingCount: number(14, UInt16.self),
      headersCount: number(16, UInt32.self),
      timesCount: Self.timesByteCount(bytes[0])
    )
    let count =
      Self.headByteCount + head.tokenCount + head.keptCount + head.findingCount + head.headersCount
      + head.timesCount
    guard bytes.count == count else { return nil }
    (self.bytes, self.head) = (bytes, head)
  }

  package var stream: UInt32 { UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) }

  /// The bytes of the body as sent, of which no more than ``mostBody`` are there.
  package var bodyByteCount: Int { head.bodyCount }

  package var token: UnsafeRawBufferPointer { bytes.part(from: Self.headByteCount, count: head.tokenCount) }

  package var body: UnsafeRawBufferPointer {
    bytes.part(from: Self.headByteCount + head.tokenCount, count: head.keptCount)
  }

  /// The headers with white space at the ends of their values, which is in the list as it came and does not count. (What
  /// has such white space and is not marked so counts with it.)
  package struct WhiteSpace: OptionSet, BitwiseCopyable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let authorization = WhiteSpace(rawValue: 0x20)
    package static let apns = WhiteSpace(rawValue: 0x40)
  }

  package var whiteSpace: WhiteSpace { WhiteSpace(rawValue: bytes[1] & 0x60) }

  private var scheme: Request.Scheme { Request.Scheme(rawValue: bytes[1] & 0x1F) ?? .none }

  /// The encoding of what was found about the provider token.
  package var finding: UnsafeRawBufferPointer {
    bytes.part(from: Self.headByteCount + head.tokenCount + head.keptCount, count: head.findingCount)
  }

  private var hasCertificate: Bool { bytes[1] & 0x80 != 0 }

  package var authorization: RequestAuthorization {
    RequestAuthorization(scheme: scheme, hasCertificate: hasCertificate, finding: finding)
  }

  /// True if its authorization is this one.
  func hasAuthorization(_ other: RequestAuthorization) -> Bool {
    other.scheme == scheme && other.hasCertificate == hasCertificate
      && other.finding.withUnsafeBytes { finding.hasBytes(of: $0) }
  }

  /// The identifier that was made for it; nil where it brought its own.
  package var madeId: Identifier? {
    let high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: Self.identifierPlace, as: UInt64.self))
    let low = UInt64(
      bigEndian: bytes.loadUnaligned(fromByteOffset: Self.identifierPlace + 8, as: UInt64.self)
    )
    return high == 0 && low == 0 ? nil : Identifier(random: high, low)
  }

  private var headers: Range<Int> {
    let end = bytes.count - head.timesCount
    return end - head.headersCount..<end
  }

  /// The milliseconds from the header list to the request's end; 0 where both came in one read.
  package var openFor: UInt32 {
    guard head.timesCount == Self.openingByteCount else { return 0 }
    let place = bytes.count - head.timesCount
    return UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
  }

  /// The provider's real time, where its token was seen for the first time and the simulated one is another.
  package var realTime: Timestamp? {
    guard head.timesCount == Self.realTimeByteCount else { return nil }
    let place = bytes.count - head.timesCount
    return Timestamp(
      rawValue: Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int64.self))
    )
  }

  private static func timesByteCount(_ version: UInt8) -> Int {
    switch version {
    case versionWithOpening: openingByteCount
    case versionWithRealTime: realTimeByteCount
    default: 0
    }
  }

  /// Calls `body` with the places of each header's name and value, in order; a field that would leave the list ends it.
  package func forEachField(_ body: (HeaderField) -> Void) {
    Self.forEachField(in: bytes, headers, body)
  }

  /// The same of a header list as evidence has it, whatever it is part of.
  static func forEachField(
    in bytes: UnsafeRawBufferPointer,
    _ headers: Range<Int>,
    _ body: (HeaderField) -> Void
  ) {
    var place = headers.lowerBound
    while place + 4 <= headers.upperBound {
      let name = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
      let value = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: place + 2, as: UInt16.self)))
      guard place + 4 + name + value <= headers.upperBound else { return }
      body(
        HeaderField(
          name: ByteRange(start: UInt32(place + 4), count: UInt32(name)),
          value: ByteRange(start: UInt32(place + 4 + name), count: UInt32(value))
        )
      )
      place += 4 + name + value
    }
  }

  /// The headers as they came, `authorization` without its value.
  package var fields: [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    forEachField { field in
      found.append(
        (
          String(decoding: field.name.bytes(in: bytes), as: UTF8.self),
          String(decoding: field.value.bytes(in: bytes), as: UTF8.self)
        )
      )
    }
    return found
  }

  /// The request, decoded: its ranges are places in ``bytes``.
  package var request: Request {
    guard !whiteSpace.contains(.apns) else { return requestWithoutWhiteSpace }
    var request = withUnsafeTemporaryAllocation(of: HeaderField.self, capacity: Self.usualFields) { room in
      var count = 0
      forEachField { field in
        if count < room.count { room[count] = field }
        count += 1
      }
      guard count > room.count else {
        return RequestDecoder.decode(
          UnsafeBufferPointer(rebasing: room[..<count]),
          in: bytes,
          bodyCount: head.bodyCount
        )
      }
      var fields: [HeaderField] = []
      fields.reserveCapacity(count)
      forEachField { fields.append($0) }
      return decoded(fields)
    }
    request.scheme = scheme
    return request
  }

  private func decoded(_ fields: [HeaderField]) -> Request {
    fields.withUnsafeBufferPointer { RequestDecoder.decode($0, in: bytes, bodyCount: head.bodyCount) }
  }

  @inline(never)
  private var requestWithoutWhiteSpace: Request {
    var fields: [HeaderField] = []
    forEachField { field in
      fields.append(isSurrounded(field) ? HeaderField(name: field.name, value: trimmed(field.value)) : field)
    }
    var request = decoded(fields)
    request.scheme = scheme
    return request
  }

  /// The names of the headers with white space at the ends of their values, in order.
  package var surroundedNames: [String] {
    var names: [String] = []
    forEachField { field in
      let isAuthorization = field.name.bytes(in: bytes).elementsEqual("authorization".utf8)
      guard isAuthorization ? whiteSpace.contains(.authorization) : isSurrounded(field) else { return }
      names.append(String(decoding: field.name.bytes(in: bytes), as: UTF8.self))
    }
    return names
  }

  /// True for a request with white space at an end of one of the headers that it is judged by.
  @inline(__always)
  static func hasWhiteSpace(_ request: Request, in bytes: UnsafeRawBufferPointer) -> Bool {
    isSurrounded(request.topic, bytes) || isSurrounded(request.pushTypeText, bytes)
      || isSurrounded(request.priorityText, bytes) || isSurrounded(request.messageId, bytes)
      || isSurrounded(request.expirationText, bytes) || isSurrounded(request.collapseId, bytes)
      || isSurrounded(request.channelId, bytes) || isSurrounded(request.requestId, bytes)
  }

  @inline(__always)
  private static func isSurrounded(_ range: ByteRange, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard range.isPresent else { return false }
    let value = range.bytes(in: bytes)
    guard let first = value.first, let last = value.last else { return false }
    return first == 0x20 || first == 0x09 || last == 0x20 || last == 0x09
  }

  /// True for a header `apns-…` with white space that does not count.
  private func isSurrounded(_ field: HeaderField) -> Bool {
    whiteSpace.contains(.apns) && field.name.bytes(in: bytes).starts(with: "apns-".utf8)
      && trimmed(field.value) != field.value
  }

  private func trimmed(_ range: ByteRange) -> ByteRange {
    let value = range.bytes(in: bytes)
    let trimmed = value.withoutWhiteSpace
    guard let first = value.baseAddress, let start = trimmed.baseAddress else { return range }
    return ByteRange(start: range.start + UInt32(start - first), count: UInt32(trimmed.count))
  }

  /// Texts of a request as it was sent, which are looked up without decoding the others.
  struct Texts {
    var collapseId = ByteRange.absent
    var pushType = ByteRange.absent
    /// The `apns-id`, or of a request about channels the `apns-request-id`.
    var identifier = ByteRange.absent
  }

  var texts: Texts {
    var texts = Texts()
    var (path, messageId, requestId) = (ByteRange.absent, ByteRange.absent, ByteRange.absent)
    forEachField { field in
      func take(_ text: inout ByteRange) {
        if !text.isPresent { text = isSurrounded(field) ? trimmed(field.value) : field.value }
      }
      switch RequestHeader(field.name.bytes(in: bytes)) {
      case .path: take(&path)
      case .messageId: take(&messageId)
      case .requestId: take(&requestId)
      case .collapseId: take(&texts.collapseId)
      case .pushType: take(&texts.pushType)
      default: break
      }
    }
    let isBroadcast = RequestDecoder.isBroadcast(path.bytes(in: bytes))
    texts.identifier = isBroadcast ? requestId : messageId
    return texts
  }

  /// The `apns-id` of its answer: the provider's, as it wrote it, or else the one that was made.
  package func messageId(of request: Request) -> String? {
    if let madeId {
      return withUnsafeTemporaryAllocation(byteCount: Identifier.textCount, alignment: 1) { room in
        madeId.write(upperCase: true, to: room)
        return String(decoding: room, as: UTF8.self)
      }
    }
    return text(of: request.isBroadcast ? request.requestId : request.messageId)
  }

  /// The text that the path has in place of a device token; nil where that is one in hex digits, or nothing.
  package var textualToken: String? {
    guard head.tokenCount == 0 else { return nil }
    let text = request.deviceToken.bytes(in: bytes)
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }

  /// The text of a header; nil where it was not there.
  package func text(of range: ByteRange) -> String? {
    range.isPresent ? String(decoding: range.bytes(in: bytes), as: UTF8.self) : nil
  }

  /// The fields of a notification, with places in the evidence.
  func writeFields(of request: Request, to fields: inout NotificationFields) {
    fields.tokenStart = UInt32(Self.headByteCount)
    fields.tokenLength = UInt16(clamping: head.tokenCount)
    fields.hasToken = head.tokenCount > 0
    fields.payloadStart = UInt32(Self.headByteCount + head.tokenCount)
    fields.payloadLength = UInt16(clamping: head.keptCount)
    fields.hasPayload = head.keptCount > 0
    if let expiration = request.expiration {
      fields.expiry = expiration
      fields.hasExpiry = true
    }
    if request.priorityText.isPresent {
      fields.priority = request.priority
      fields.hasPriority = true
    }
  }
}
