import APNSimWire

/// A request by itself, as a replay reads it from a journal and a scenario makes one: nothing else of HTTP/2 reaches the core, and
/// nothing else decides its answer but the state of the world. What a listener reads stands in a ``RequestBatch``.
package struct ProviderRequest: Sendable {
  /// The encoding of ``RequestEvidence``.
  package private(set) var bytes: [UInt8]
  /// The authorization as the evidence has it.
  let authorization: RequestAuthorization
  /// The milliseconds from its header list to its end.
  private(set) var openFor: UInt32 = 0

  /// - Parameters:
  ///   - headers: the decoded header list in order, pseudo-headers among it. The value of `authorization` is left out.
  ///   - body: as much of the body as there is, or the first ``RequestEvidence/mostBody`` of its bytes.
  ///   - bodyByteCount: the bytes of the whole body, where not all of them are in `body`.
  ///   - openFor: the milliseconds from its header list to its end.
  package init(
    stream: UInt32,
    headers: some Collection<(name: [UInt8], value: [UInt8])>,
    body: some Collection<UInt8>,
    bodyByteCount: Int? = nil,
    authorization: RequestAuthorization,
    openFor: UInt32 = 0
  ) {
    var list: [UInt8] = []
    for (name, value) in headers { Self.append(name, name == Self.secret ? [] : value, to: &list) }
    let path = headers.first { !$0.value.isEmpty && $0.name == Self.path }?.value ?? []
    let digits = Self.tokenDigits(path)
    bytes = Array(body).withUnsafeBytes { body in
      list.withUnsafeBytes { list in
        digits.withUnsafeBytes { digits in
          let parts = RequestEvidence.Parts(
            stream: stream,
            digits: digits,
            body: RequestEvidence.kept(body),
            bodyByteCount: bodyByteCount ?? body.count,
            headers: list,
            authorization: authorization
          )
          return [UInt8](unsafeUninitializedCapacity: parts.byteCount) { room, count in
            parts.write(to: UnsafeMutableRawBufferPointer(room))
            count = parts.byteCount
          }
        }
      }
    }
    self.authorization = authorization
    self.openFor = openFor
  }

  /// Adds a field to a list, as evidence has it; provider tokens have no business in one, and none is kept.
  private static func append(_ name: [UInt8], _ value: [UInt8], to list: inout [UInt8]) {
    let texts = [name, value].map { $0.prefix(Int(UInt16.max)) }
    for text in texts { list.append(bigEndian: UInt16(text.count)) }
    for text in texts {
      let start = list.count
      list += text
      list.withUnsafeMutableBytes {
        ProviderToken.blot(in: UnsafeMutableRawBufferPointer(rebasing: $0[start...]))
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

  private static let path = Array(":path".utf8)
  private static let secret = Array("authorization".utf8)
  private static let devicePath = Array("/3/device/".utf8)
  /// The hex digits of the device token of a path, two for each byte; nothing where it names none.
  private static func tokenDigits(_ path: [UInt8]) -> [UInt8] {
    let digits = Array(path.dropFirst(devicePath.count))
    guard !digits.isEmpty, digits.count % 2 == 0, digits.count <= 2 * RequestEvidence.mostToken,
      path.starts(with: devicePath), digits.withUnsafeBytes({ Hex.areDigits($0) })
    else { return [] }
    return digits
  }

  /// Notes how long it took to be whole, which depends on how the stream was cut.
  package mutating func noteOpening() {
    guard openFor > 0, bytes.first == RequestEvidence.version else { return }
    bytes += [UInt8](repeating: 0, count: RequestEvidence.openingByteCount)
    bytes.withUnsafeMutableBytes { RequestEvidence.write(openFor: openFor, to: $0) }
  }
}

extension ProviderRequest: Hashable {
  package static func == (left: ProviderRequest, right: ProviderRequest) -> Bool { left.bytes == right.bytes }

  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
