import APNSimWire

/// A field of a header list, where it stands.
package struct RequestField: BitwiseCopyable {
  package var name: UnsafeRawBufferPointer
  package var value: UnsafeRawBufferPointer

  package init(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    (self.name, self.value) = (name, value)
  }
}

/// A request as a listener hands it in, and as a replay reads it from a journal: nothing else of HTTP/2 reaches the
/// core, and nothing else decides its answer but the state of the world.
package struct ProviderRequest: Sendable {
  /// The encoding of ``RequestEvidence``.
  package private(set) var bytes: [UInt8]
  /// The authorization as the evidence has it.
  let authorization: RequestAuthorization
  /// The milliseconds from its header list to its end.
  private var openFor: UInt32 = 0

  /// Encodes a request, in one piece of memory.
  /// - Parameters:
  ///   - fields: the decoded header list in order, pseudo-headers among it, `authorization` with an empty value.
  ///   - path: the value of `:path`; empty where there is none.
  ///   - body: as much of the body as there is, or the first ``RequestEvidence/mostBody`` of its bytes.
  ///   - bodyByteCount: the bytes of the whole body, where not all of them are in `body`.
  ///   - openFor: the milliseconds from its header list to its end.
  package init(
    stream: UInt32,
    fields: [RequestField],
    path: UnsafeRawBufferPointer,
    body: UnsafeRawBufferPointer,
    bodyByteCount: Int? = nil,
    authorization: RequestAuthorization,
    openFor: UInt32 = 0
  ) {
    let digits = Self.tokenDigits(path)
    let kept = UnsafeRawBufferPointer(rebasing: body.prefix(RequestEvidence.mostBody))
    let finding = authorization.finding
    var listCount = 0
    for field in fields { listCount += 4 + Self.count(field.name) + Self.count(field.value) }
    let count =
      RequestEvidence.headByteCount + digits.count / 2 + kept.count + finding.count + listCount
    bytes = [UInt8](unsafeUninitializedCapacity: count) { room, written in
      var writer = Writer(room: UnsafeMutableRawBufferPointer(room))
      writer.append(RequestEvidence.version)
      let certificate: UInt8 = authorization.hasCertificate ? 0x80 : 0
      let whiteSpace = authorization.isSurrounded ? RequestEvidence.WhiteSpace.authorization.rawValue : 0
      writer.append(authorization.scheme.rawValue | certificate | whiteSpace)
      writer.append(UInt16(digits.count / 2))
      writer.append(stream)
      writer.append(UInt32(clamping: bodyByteCount ?? body.count))
      writer.append(UInt16(kept.count))
      writer.append(UInt16(finding.count))
      writer.append(UInt32(clamping: listCount))
      writer.append(UInt64(0))
      writer.append(UInt64(0))
      writer.append(hexadecimal: digits)
      writer.append(kept)
      finding.withUnsafeBytes { writer.append($0) }
      for field in fields {
        let (name, value) = (Self.count(field.name), Self.count(field.value))
        writer.append(UInt16(name))
        writer.append(UInt16(value))
        writer.append(text: UnsafeRawBufferPointer(rebasing: field.name[..<name]))
        writer.append(text: UnsafeRawBufferPointer(rebasing: field.value[..<value]))
      }
      written = writer.count
    }
    self.authorization = authorization
    self.openFor = openFor
  }

  /// - Parameters:
  ///   - headers: the decoded header list in order, pseudo-headers among it. The value of `authorization` is left out.
  ///   - body: as much of the body as there is, or the first ``RequestEvidence/mostBody`` of its bytes.
  ///   - bodyByteCount: the bytes of the whole body, where not all of them are in `body`.
  package init(
    stream: UInt32,
    headers: some Collection<(name: [UInt8], value: [UInt8])>,
    body: some Collection<UInt8>,
    bodyByteCount: Int? = nil,
    authorization: RequestAuthorization,
    openFor: UInt32 = 0
  ) {
    var list: [UInt8] = []
    var places: [(name: Range<Int>, value: Range<Int>)] = []
    var path = 0..<0
    for (name, value) in headers {
      let start = list.count
      list += name
      let end = list.count
      if name != Self.secret { list += value }
      places.append((start..<end, end..<list.count))
      if path.isEmpty, name == Self.path { path = end..<list.count }
    }
    self = list.withUnsafeBytes { list in
      let fields = places.map { place in
        RequestField(
          name: UnsafeRawBufferPointer(rebasing: list[place.name]),
          value: UnsafeRawBufferPointer(rebasing: list[place.value])
        )
      }
      return Array(body).withUnsafeBytes { body in
        ProviderRequest(
          stream: stream,
          fields: fields,
          path: UnsafeRawBufferPointer(rebasing: list[path]),
          body: body,
          bodyByteCount: bodyByteCount,
          authorization: authorization,
          openFor: openFor
        )
      }
    }
  }

  /// A request of a journal: what was kept of it, without the identifier that was made for it then.
  /// - Returns: nil for bytes that are no request.
  package init?(evidence: [UInt8]) {
    guard let kept = evidence.withUnsafeBytes({ RequestEvidence($0)?.authorization }) else { return nil }
    (bytes, authorization) = (evidence, kept)
    for place in RequestEvidence.identifierPlace..<RequestEvidence.identifierPlace + 16 { bytes[place] = 0 }
  }

  /// A request of a log, with the milliseconds from its header list to its end.
  init(reading entry: inout StateReader) throws(StateError) {
    let openFor = try entry.raw(UInt32.self)
    guard let request = ProviderRequest(evidence: Array(try entry.bytes())) else {
      throw entry.error("a request was expected")
    }
    self = request
    self.openFor = openFor
  }

  func write(to entry: inout StateWriter) {
    entry.write(raw: openFor)
    entry.write(bytes)
  }

  private static let path = Array(":path".utf8)
  private static let secret = Array("authorization".utf8)
  private static let devicePath: StaticString = "/3/device/"
  /// Longer tokens than any device's are kept as the path spells them, and nowhere else.
  private static let mostToken = 255

  /// The hex digits of the device token of a path, two for each byte; nothing where it names none.
  private static func tokenDigits(_ path: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let start = devicePath.utf8CodeUnitCount
    let digits = UnsafeRawBufferPointer(rebasing: path.dropFirst(start))
    guard !digits.isEmpty, digits.count % 2 == 0, digits.count <= 2 * mostToken,
      path.starts(with: UnsafeRawBufferPointer(start: devicePath.utf8Start, count: start)),
      Hex.areDigits(digits)
    else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return digits
  }

  /// The bytes of a name or a value that are kept.
  private static func count(_ text: UnsafeRawBufferPointer) -> Int { min(text.count, Int(UInt16.max)) }

  /// Notes how long it took to be whole, which depends on how the stream was cut.
  package mutating func noteOpening() {
    guard openFor > 0, bytes.first == RequestEvidence.version else { return }
    bytes[0] = RequestEvidence.versionWithOpening
    bytes.append(bigEndian: openFor)
  }

  /// Notes that white space at the ends of values of `apns-…` does not count.
  mutating func noteWhiteSpace() { bytes[1] |= RequestEvidence.WhiteSpace.apns.rawValue }

  /// Notes the provider's real time, by which the age of its token is taken.
  mutating func note(realTime: Timestamp) {
    guard bytes.first == RequestEvidence.version else { return }
    bytes[0] = RequestEvidence.versionWithRealTime
    bytes.append(bigEndian: realTime.rawValue)
  }

  /// The provider's real time that a journal has of it.
  var realTime: Timestamp? {
    guard bytes.first == RequestEvidence.versionWithRealTime else { return nil }
    return bytes.withUnsafeBytes { RequestEvidence($0)?.realTime }
  }

  /// Notes the identifier that was made for it.
  mutating func make(_ identifier: Identifier) {
    bytes.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(
        of: identifier.high.bigEndian,
        toByteOffset: RequestEvidence.identifierPlace,
        as: UInt64.self
      )
      bytes.storeBytes(
        of: identifier.low.bigEndian,
        toByteOffset: RequestEvidence.identifierPlace + 8,
        as: UInt64.self
      )
    }
  }
}

extension ProviderRequest: Hashable {
  package static func == (left: ProviderRequest, right: ProviderRequest) -> Bool { left.bytes == right.bytes }

  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// Writes evidence, big-endian, into memory that has room for all of it.
private struct Writer {
  let room: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(room: UnsafeMutableRawBufferPointer) { self.room = room }

  mutating func append(_ value: some FixedWidthInteger & BitwiseCopyable) {
    room.storeBytes(of: value.bigEndian, toByteOffset: count, as: type(of: value.bigEndian))
    count += MemoryLayout.size(ofValue: value)
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    UnsafeMutableRawBufferPointer(rebasing: room[count..<count + bytes.count]).copyMemory(from: bytes)
    count += bytes.count
  }

  /// A name or a value; provider tokens have no business in one, and none is kept.
  mutating func append(text: UnsafeRawBufferPointer) {
    let start = count
    append(text)
    ProviderToken.blot(in: UnsafeMutableRawBufferPointer(rebasing: room[start..<count]))
  }

  /// Two digits a byte; all of them are digits.
  mutating func append(hexadecimal digits: UnsafeRawBufferPointer) {
    Hex.decode(digits, to: UnsafeMutableRawBufferPointer(rebasing: room[count..<count + digits.count / 2]))
    count += digits.count / 2
  }
}
