import APNSimWire

/// A request as a listener hands it in, and as a replay reads it from a journal: nothing else of HTTP/2 reaches the
/// core, and nothing else decides its answer but the state of the world.
package struct ProviderRequest: Hashable, Sendable {
  /// The encoding of ``RequestEvidence``.
  package private(set) var bytes: [UInt8]

  /// - Parameters:
  ///   - headers: the decoded header list in order, pseudo-headers among it. The value of `authorization` is left out.
  ///   - body: as much of the body as there is, or the first ``RequestEvidence/mostBody`` of its bytes.
  ///   - bodyByteCount: the bytes of the whole body, where not all of them are in `body`.
  package init(
    stream: UInt32,
    headers: some Collection<(name: [UInt8], value: [UInt8])>,
    body: some Collection<UInt8>,
    bodyByteCount: Int? = nil,
    authorization: RequestAuthorization
  ) {
    let kept = body.prefix(RequestEvidence.mostBody)
    var token: [UInt8] = []
    if let path = headers.first(where: { $0.name.elementsEqual(":path".utf8) })?.value,
      path.starts(with: Self.devicePath)
    {
      let bytes = Hex.decode(String(decoding: path.dropFirst(Self.devicePath.count), as: UTF8.self)) ?? []
      if bytes.count <= Self.mostToken { token = bytes }
    }
    var finding: [UInt8] = []
    authorization.token?.append(to: &finding)
    var list: [UInt8] = []
    for (name, value) in headers {
      let isSecret = name.elementsEqual("authorization".utf8)
      let (name, value) = (name.prefix(Int(UInt16.max)), isSecret ? [] : value.prefix(Int(UInt16.max)))
      list.append(bigEndian: UInt16(name.count))
      list.append(bigEndian: UInt16(value.count))
      list += name
      list += value
    }
    bytes = [
      RequestEvidence.version, authorization.scheme.rawValue | (authorization.hasCertificate ? 0x80 : 0),
    ]
    bytes.reserveCapacity(
      RequestEvidence.headByteCount + token.count + kept.count + finding.count + list.count
    )
    bytes.append(bigEndian: UInt16(token.count))
    bytes.append(bigEndian: stream)
    bytes.append(bigEndian: UInt32(clamping: bodyByteCount ?? body.count))
    bytes.append(bigEndian: UInt16(kept.count))
    bytes.append(bigEndian: UInt16(finding.count))
    bytes.append(bigEndian: UInt32(clamping: list.count))
    bytes.append(bigEndian: UInt64(0))
    bytes.append(bigEndian: UInt64(0))
    bytes += token
    bytes += kept
    bytes += finding
    bytes += list
  }

  /// A request of a journal: what was kept of it, without the identifier that was made for it then.
  /// - Returns: nil for bytes that are no request.
  package init?(evidence: [UInt8]) {
    guard evidence.withUnsafeBytes({ RequestEvidence($0) != nil }) else { return nil }
    bytes = evidence
    for place in RequestEvidence.identifierPlace..<RequestEvidence.identifierPlace + 16 { bytes[place] = 0 }
  }

  private static let devicePath = Array("/3/device/".utf8)
  /// Longer tokens than any device's are kept as the path spells them, and nowhere else.
  private static let mostToken = 255

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
