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
    var host = ByteRange.absent
    var seen: UInt16 = 0
    for field in fields {
      let name = field.name.bytes(in: buffer)
      guard let first = name.first else { continue }
      if first == UInt8(ascii: ":") {
        takePseudo(name, field.value, into: &request, in: buffer)
        continue
      }
      guard let header = RequestHeader(name) else { continue }
      let bit: UInt16 = 1 << UInt16(header.rawValue)
      guard seen & bit == 0 else {
        if request.repeated == nil { request.repeated = header }
        continue
      }
      seen |= bit
      if header == .host { host = field.value } else { take(header, field.value, into: &request, in: buffer) }
    }
    if !request.authority.isPresent { request.authority = host }
    request.bodyCount = bodyCount
    // Broadcasts write the type in any case, and the path may follow the header.
    let type = request.pushTypeText
    if type.isPresent {
      request.pushType = PushType(type.bytes(in: buffer), ignoringCase: request.isBroadcast)
    }
    return request
  }

  @inline(__always)
  private static func takePseudo(
    _ name: UnsafeRawBufferPointer,
    _ value: ByteRange,
    into request: inout Request,
    in buffer: UnsafeRawBufferPointer
  ) {
    if name.isEqual(to: ":path"), !request.path.isPresent {
      request.path = value
      takePath(value, into: &request, in: buffer)
    } else if name.isEqual(to: ":method"), !request.methodText.isPresent {
      request.methodText = value
      let text = value.bytes(in: buffer)
      request.method =
        text.isEqual(to: "POST")
        ? .post : text.isEqual(to: "GET") ? .get : text.isEqual(to: "DELETE") ? .delete : .other
    } else if name.isEqual(to: ":authority"), !request.authority.isPresent {
      request.authority = value
    }
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

  @inline(__always)
  private static func take(
    _ header: RequestHeader,
    _ value: ByteRange,
    into request: inout Request,
    in buffer: UnsafeRawBufferPointer
  ) {
    let text = value.bytes(in: buffer)
    switch header {
    case .messageId: request.messageId = value
    case .topic:
      request.topic = value
      request.topicType = PushType(suffixOf: text)
    case .collapseId: request.collapseId = value
    case .pushType: request.pushTypeText = value
    case .channelId: request.channelId = value
    case .requestId: request.requestId = value
    case .expiration:
      request.expirationText = value
      request.expiration = seconds(text)
    case .priority:
      request.priorityText = value
      request.priority =
        text.isEqual(to: "10") ? 10 : text.isEqual(to: "5") ? 5 : text.isEqual(to: "1") ? 1 : 0
    case .authorization: request.scheme = scheme(text)
    case .host: break
    }
  }

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
