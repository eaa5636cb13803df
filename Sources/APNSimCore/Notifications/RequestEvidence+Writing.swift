import APNSimWire

extension RequestEvidence {
  /// A request as it stands before its evidence is written.
  struct Parts {
    var stream: UInt32
    /// The digits of the device token, two for each byte; none where its path names none.
    var digits: UnsafeRawBufferPointer
    /// As much of the body as is kept, and the bytes of all of it.
    var body: UnsafeRawBufferPointer
    var bodyByteCount: Int
    /// Each header's lengths, name and value.
    var headers: UnsafeRawBufferPointer
    var authorization: RequestAuthorization

    /// The bytes in front of the headers.
    var headersStart: Int {
      RequestEvidence.headByteCount + digits.count / 2 + body.count + authorization.finding.count
    }

    var byteCount: Int { headersStart + headers.count }

    /// Writes the evidence into memory that has room for it.
    func write(to room: UnsafeMutableRawBufferPointer) {
      precondition(room.count >= byteCount)
      let finding = authorization.finding
      let certificate: UInt8 = authorization.hasCertificate ? 0x80 : 0
      let whiteSpace = authorization.isSurrounded ? WhiteSpace.authorization.rawValue : 0
      Self.put(RequestEvidence.version, at: 0, room)
      Self.put(authorization.scheme.rawValue | certificate | whiteSpace, at: 1, room)
      Self.put(UInt16(truncatingIfNeeded: digits.count / 2), at: 2, room)
      Self.put(stream, at: 4, room)
      Self.put(UInt32(clamping: bodyByteCount), at: 8, room)
      Self.put(UInt16(truncatingIfNeeded: body.count), at: 12, room)
      Self.put(UInt16(truncatingIfNeeded: finding.count), at: 14, room)
      Self.put(UInt32(truncatingIfNeeded: headers.count), at: 16, room)
      Self.put(UInt64(0), at: RequestEvidence.identifierPlace, room)
      Self.put(UInt64(0), at: RequestEvidence.identifierPlace + 8, room)
      let bodyStart = RequestEvidence.headByteCount + digits.count / 2
      let findingStart = bodyStart + body.count
      let token = UnsafeMutableRawBufferPointer(rebasing: room[RequestEvidence.headByteCount..<bodyStart])
      Hex.decode(digits, to: token)
      UnsafeMutableRawBufferPointer(rebasing: room[bodyStart...]).copyMemory(from: body)
      finding.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: room[findingStart...]).copyMemory(from: $0)
      }
      UnsafeMutableRawBufferPointer(rebasing: room[(findingStart + finding.count)...]).copyMemory(
        from: headers
      )
    }

    @inline(__always)
    private static func put(
      _ value: some FixedWidthInteger & BitwiseCopyable,
      at place: Int,
      _ room: UnsafeMutableRawBufferPointer
    ) {
      room.storeBytes(of: value.bigEndian, toByteOffset: place, as: type(of: value))
    }
  }

  /// Longer tokens than any device's are kept as the path spells them, and nowhere else.
  static let mostToken = 255

  /// As much of a body as is kept.
  static func kept(_ body: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: body.prefix(mostBody))
  }

  /// The digits of a device token as the evidence has it: none where the path names none.
  static func digits(of request: Request, in headers: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard request.isTokenHexadecimal, request.deviceToken.count <= 2 * UInt32(mostToken) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return request.deviceToken.bytes(in: headers)
  }

  /// Writes how long a request took to be whole, after the other evidence of it.
  /// - Parameter room: the evidence, and room for ``openingByteCount`` more.
  static func write(openFor: UInt32, to room: UnsafeMutableRawBufferPointer) {
    room[0] = versionWithOpening
    let place = room.count - openingByteCount
    room.storeBytes(of: openFor.bigEndian, toByteOffset: place, as: UInt32.self)
  }

  /// Writes the provider's real time, in the same place.
  /// - Parameter room: the evidence, and room for ``realTimeByteCount`` more.
  static func write(realTime: Timestamp, to room: UnsafeMutableRawBufferPointer) {
    room[0] = versionWithRealTime
    let place = room.count - realTimeByteCount
    room.storeBytes(of: realTime.rawValue.bigEndian, toByteOffset: place, as: Int64.self)
  }
}
