/// Decoding of a header list into a request, without allocating.
///
/// Decodes what was sent and judges nothing: a header that came twice keeps its first value, unknown ones are passed
/// over, and a range that leaves the buffer reads as empty.
package enum RequestDecoder {
  package static func decode(
    _ fields: UnsafeBufferPointer<HeaderField>,
    in buffer: UnsafeRawBufferPointer,
    bodyCount: Int
  ) -> Request {
    var request = Request()
    var reading = Reading()
    for field in fields {
      guard let header = RequestHeader(field.name.bytes(in: buffer)) else { continue }
      let finding = finding(header, field.value.bytes(in: buffer))
      reading.take(RequestField(header, field.value, finding: finding), into: &request, in: buffer)
    }
    reading.finish(&request, in: buffer)
    request.bodyCount = bodyCount
    return request
  }

  /// Decodes fields that were looked at, in place.
  package static func decode(
    _ fields: UnsafeBufferPointer<RequestField>,
    in buffer: UnsafeRawBufferPointer,
    into request: inout Request
  ) {
    request = Request()
    var reading = Reading()
    for field in fields { reading.take(field, into: &request, in: buffer) }
    reading.finish(&request, in: buffer)
  }

  // MARK: Values

  /// The meaning of a value by itself, as a number: whoever sends the same value again is not asked for it twice.
  package static func finding(_ header: RequestHeader, _ text: UnsafeRawBufferPointer) -> UInt32 {
    switch header {
    case .method: UInt32(method(text).rawValue)
    case .messageId, .requestId: Identifier.isCanonical(text) ? 1 : 0
    case .topic:
      number(of: PushType(suffixOf: text)) | (text.allSatisfy { (0x21...0x7E).contains($0) } ? visible : 0)
    case .pushType: number(of: PushType(text))
    case .priority: text.isEqual(to: "10") ? 10 : text.isEqual(to: "5") ? 5 : text.isEqual(to: "1") ? 1 : 0
    case .expiration:
      seconds(text).map { $0 < Int64(unknownSeconds) - 1 ? UInt32($0) + 1 : unknownSeconds } ?? 0
    case .authorization: UInt32(scheme(text).rawValue)
    case .collapseId, .channelId, .host, .path, .authority: 0
    }
  }

  /// A topic of visible ASCII.
  private static let visible: UInt32 = 1 << 8
  /// A moment that has no room in a finding, and is read again. Findings have 31 bits.
  private static let unknownSeconds = UInt32(Int32.max)

  private static func number(of type: PushType?) -> UInt32 { type.map { UInt32($0.rawValue) + 1 } ?? 0 }

  @inline(__always)
  private static func pushType(_ number: UInt32) -> PushType? {
    number & 0xFF == 0 ? nil : PushType(rawValue: UInt8(truncatingIfNeeded: number) &- 1)
  }

  private static func method(_ text: UnsafeRawBufferPointer) -> Request.Method {
    text.isEqual(to: "POST")
      ? .post : text.isEqual(to: "GET") ? .get : text.isEqual(to: "DELETE") ? .delete : .other
  }

  /// The part of a list that has been read.
  private struct Reading {
    var host = ByteRange.absent
    var seen: UInt16 = 0
    var pushType: UInt32 = 0

    @inline(__always)
    mutating func take(_ field: RequestField, into request: inout Request, in buffer: UnsafeRawBufferPointer)
    {
      switch field.header {
      case .path:
        guard !request.path.isPresent else { return }
        request.path = field.value
        return takePath(field.value, into: &request, in: buffer)
      case .method:
        guard !request.methodText.isPresent else { return }
        request.methodText = field.value
        return request.method = Request.Method(rawValue: UInt8(truncatingIfNeeded: field.finding)) ?? .other
      case .authority:
        if !request.authority.isPresent { request.authority = field.value }
        return
      default: break
      }
      let bit: UInt16 = 1 << UInt16(field.header.rawValue)
      guard seen & bit == 0 else {
        if request.repeated == nil { request.repeated = field.header }
        return
      }
      seen |= bit
      takeFirst(field, into: &request, in: buffer)
    }

    @inline(__always)
    private mutating func takeFirst(
      _ field: RequestField,
      into request: inout Request,
      in buffer: UnsafeRawBufferPointer
    ) {
      let (value, finding) = (field.value, field.finding)
      switch field.header {
      case .messageId: (request.messageId, request.isMessageIdCanonical) = (value, finding != 0)
      case .requestId: (request.requestId, request.isRequestIdCanonical) = (value, finding != 0)
      case .topic:
        request.topic = value
        (request.topicType, request.isTopicVisible) = (
          RequestDecoder.pushType(finding), finding & visible != 0
        )
      case .pushType: (request.pushTypeText, pushType) = (value, finding)
      case .collapseId: request.collapseId = value
      case .channelId: request.channelId = value
      case .expiration:
        request.expirationText = value
        request.expiration =
          finding == unknownSeconds
          ? seconds(value.bytes(in: buffer)) : finding == 0 ? nil : Int64(finding) - 1
      case .priority:
        (request.priorityText, request.priority) = (value, UInt8(truncatingIfNeeded: finding))
      case .authorization:
        request.scheme = Request.Scheme(rawValue: UInt8(truncatingIfNeeded: finding)) ?? .none
      case .host: host = value
      case .method, .path, .authority: break
      }
    }

    @inline(__always)
    func finish(_ request: inout Request, in buffer: UnsafeRawBufferPointer) {
      if !request.authority.isPresent { request.authority = host }
      guard request.pushTypeText.isPresent else { return }
      // Broadcasts write the type in any case, and the path may follow the header.
      request.pushType =
        request.isBroadcast
        ? PushType(request.pushTypeText.bytes(in: buffer), ignoringCase: true)
        : RequestDecoder.pushType(pushType)
    }
  }

  // MARK: Paths

  /// True for the path of a broadcast or of channels.
  package static func isBroadcast(_ path: UnsafeRawBufferPointer) -> Bool {
    guard !path.hasPrefix("/3/device") else { return false }
    var request = Request()
    takePath(ByteRange(start: 0, count: UInt32(clamping: path.count)), into: &request, in: path)
    return request.isBroadcast
  }

  private static func takePath(
    _ path: ByteRange,
    into request: inout Request,
    in buffer: UnsafeRawBufferPointer
  ) {
    let text = path.bytes(in: buffer)
    if text.hasPrefix("/3/device/") {
      request.target = .device
      request.deviceToken = path.dropping(10)
      let digits = text.count - 10
      request.isTokenHexadecimal =
        digits > 0 && digits % 2 == 0 && Hex.areDigits(UnsafeRawBufferPointer(rebasing: text[10...]))
    } else if text.isEqual(to: "/3/device") {
      request.target = .device
    } else if text.hasPrefix("/4/broadcasts/apps/") {
      takeBundleId(path.dropping(19), .broadcast, into: &request, in: buffer)
    } else if text.hasPrefix("/1/apps/") {
      var bundleId = path.dropping(8)
      if text.hasSuffix("/all-channels"), bundleId.count >= 13 {
        bundleId.count -= 13
        takeBundleId(bundleId, .allChannels, into: &request, in: buffer)
      } else if text.hasSuffix("/channels"), bundleId.count >= 9 {
        bundleId.count -= 9
        takeBundleId(bundleId, .channels, into: &request, in: buffer)
      }
    }
  }

  /// A bundle ID is one segment of the path, and not empty.
  private static func takeBundleId(
    _ bundleId: ByteRange,
    _ target: Request.Target,
    into request: inout Request,
    in buffer: UnsafeRawBufferPointer
  ) {
    let text = bundleId.bytes(in: buffer)
    guard !text.isEmpty, !text.contains(UInt8(ascii: "/")) else { return }
    request.target = target
    request.bundleId = bundleId
  }

  // MARK: Texts

  /// The scheme of a value of `authorization`, with something after it: a bare `bearer` is no token.
  package static func scheme(_ text: UnsafeRawBufferPointer) -> Request.Scheme {
    guard text.hasPrefix("bearer ", ignoringCase: true) else { return text.isEmpty ? .none : .other }
    return text.dropFirst(7).contains { $0 != 0x20 } ? .bearer : .none
  }

  /// Decimal digits and nothing else, up to the largest that fits.
  private static func seconds(_ text: UnsafeRawBufferPointer) -> Int64? {
    guard !text.isEmpty else { return nil }
    var value: Int64 = 0
    for byte in text {
      guard (0x30...0x39).contains(byte) else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int64(byte - 0x30))
      guard !overflow, !carry else { return nil }
      value = sum
    }
    return value
  }
}
