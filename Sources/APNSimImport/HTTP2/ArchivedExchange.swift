package import APNSimCapture
package import APNSimCore
package import APNSimWire

/// One entry of an HTTP archive (HAR 1.2): a request to the service, and its answer where there was one.
package struct ArchivedExchange {
  package var start: Timestamp
  package var end: Timestamp
  /// The archive's name for its connection; nil where it does not say.
  var connection: String?
  /// The host that the request names, else that of the URL, with its port where that is not HTTPS's.
  var authority: String
  var path: String
  var method: String
  /// `HTTP/2.0`, `h2`, `HTTP/1.1`, as the archive spells it.
  var version: String
  /// In lower case and in order, without pseudo-headers.
  var headers: [(name: [UInt8], value: [UInt8])]
  var body: [UInt8]
  /// The bytes of the body, which the archive may not have.
  var bodyCount: Int
  /// Nil where nothing was answered.
  package var answer: CapturedAnswer?

  /// An entry that is none of these.
  package enum Other: Error { case damaged(String), foreign(host: String) }

  /// - Throws: `Other` for a request to another service, and for an entry that lacks what is needed.
  package init(_ entry: JSONValue) throws(Other) {
    guard let request = entry.member("request"), let url = request.member("url")?.stringValue else {
      throw .damaged("a request with a URL")
    }
    let place = try Self.place(url)
    (authority, path) = (place.authority, place.path)
    guard Self.paths.contains(where: { place.path.hasPrefix($0) }) else {
      throw .foreign(host: place.authority)
    }
    guard let text = entry.member("startedDateTime")?.stringValue, let start = Timestamp(text) else {
      throw .damaged("startedDateTime with a time such as 2026-06-01T00:00:00.000Z")
    }
    self.start = start
    let span = Self.number(entry.member("time")) ?? 0
    end = start + .milliseconds(Int64(max(0, min(span, 1e12)).rounded()))
    // Browsers have the port in `connection`, and this beside it.
    connection =
      entry.member("_connectionId")?.stringValue ?? entry.member("connection")?.stringValue
    method = request.member("method")?.stringValue ?? "POST"
    version = request.member("httpVersion")?.stringValue ?? ""
    let all = Self.headers(request)
    // A URL may have the address that was connected to.
    let names = [":authority", "host"].compactMap { name in all.first { $0.name.elementsEqual(name.utf8) } }
    if let name = names.first, !name.value.isEmpty { authority = String(decoding: name.value, as: UTF8.self) }
    headers = all.filter { $0.name.first != UInt8(ascii: ":") && $0.name != Self.host }
    guard headers.reduce(path.utf8.count, { $0 + $1.name.count + $1.value.count }) <= Self.mostHeaders else {
      throw .damaged("a header list of at most \(Self.mostHeaders >> 20) MiB")
    }
    body = Self.bytes(request.member("postData"))
    bodyCount = max(body.count, Int(max(0, min(Self.number(request.member("bodySize")) ?? 0, Self.mostBody))))
    answer = entry.member("response").flatMap { Self.answer($0) }
  }

  private static let paths = ["/3/device", "/4/broadcasts/", "/1/apps/"]
  private static let host = Array("host".utf8)
  /// No service takes as many bytes of headers, and every line of a capture has room for them.
  private static let mostHeaders = 1 << 20
  /// A body of more bytes than this is taken to have so many.
  private static let mostBody = 1_048_576.0

  /// The header list with its pseudo-headers. One that was left out of the archive is among them.
  package var fields: [(name: [UInt8], value: [UInt8])] {
    let added = lacksAuthorization && authorization == nil ? [("authorization", "")] : []
    return ([(":method", method), (":scheme", "https"), (":authority", authority), (":path", path)] + added)
      .map { (name: Array($0.0.utf8), value: Array($0.1.utf8)) } + headers
  }

  /// The value of `authorization`; nil for a request without one.
  var authorization: [UInt8]? { headers.first { $0.name.elementsEqual("authorization".utf8) }?.value }

  /// True where whoever wrote the archive left the provider token out, as browsers do, or put something in its place:
  /// there is none, and the answer does not say so.
  var lacksAuthorization: Bool {
    guard answer?.reason != Reason.missingProviderToken.name() else { return false }
    guard let authorization else { return true }
    // A token has three parts.
    return authorization.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).count != 3
      && answer?.reason != Reason.invalidProviderToken.name()
  }

  /// True for a version before HTTP/2, of what was between provider and service.
  var isOldVersion: Bool {
    version.uppercased().hasPrefix("HTTP/1") || version.uppercased().hasPrefix("HTTP/0")
  }

  var environment: PushEnvironment {
    authority.contains("sandbox") || authority.contains("development") ? .sandbox : .production
  }

  // MARK: Parts

  private static func place(_ url: String) throws(Other) -> (authority: String, path: String) {
    guard let scheme = url.firstRange(of: "://") else {
      throw .damaged("a URL such as https://api.push.apple.com/3/device/…")
    }
    let rest = url[scheme.upperBound...]
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let end = rest.firstIndex(of: "#") ?? rest.endIndex
    return (String(rest[..<slash]), slash < end ? String(rest[slash..<end]) : "/")
  }

  private static func number(_ value: JSONValue?) -> Double? {
    guard case .number(let text)? = value, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  private static func headers(_ message: JSONValue) -> [(name: [UInt8], value: [UInt8])] {
    (message.member("headers")?.arrayValue ?? []).compactMap { header in
      guard let name = header.member("name")?.stringValue, let value = header.member("value")?.stringValue
      else {
        return nil
      }
      return (name: Array(name.lowercased().utf8), value: Array(value.utf8))
    }
  }

  /// The text of a body, in Base64 where the archive says so; without one the parts of a form, as which it was taken.
  private static func bytes(_ content: JSONValue?) -> [UInt8] {
    guard let text = content?.member("text")?.stringValue else { return form(content?.member("params")) }
    if content?.member("encoding")?.stringValue == "base64", let bytes = Base64.decode(text) { return bytes }
    return Array(text.utf8)
  }

  /// The body that was cut into parts at `&` and `=`.
  private static func form(_ parameters: JSONValue?) -> [UInt8] {
    let parts = (parameters?.arrayValue ?? []).map { part in
      let value = part.member("value")?.stringValue ?? ""
      return (part.member("name")?.stringValue ?? "") + (value.isEmpty ? "" : "=" + value)
    }
    return percentDecoded(Array(parts.joined(separator: "&").utf8))
  }

  private static func percentDecoded(_ text: [UInt8]) -> [UInt8] {
    var (bytes, place) = ([UInt8](), 0)
    while place < text.count {
      let digits = text[place...].dropFirst().prefix(2)
      if text[place] == UInt8(ascii: "%"), digits.count == 2,
        let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(byte)
        place += 3
      } else {
        bytes.append(text[place])
        place += 1
      }
    }
    return bytes
  }

  /// A response; a status of 0 stands for none that came.
  private static func answer(_ response: JSONValue) -> CapturedAnswer? {
    guard let status = number(response.member("status")), (100...999).contains(status) else { return nil }
    let headers = headers(response)
    func value(_ name: String) -> String? {
      headers.first { $0.name.elementsEqual(name.utf8) }.map { String(decoding: $0.value, as: UTF8.self) }
    }
    return CapturedAnswer(
      stream: 0,
      status: UInt16(status),
      id: value("apns-id") ?? value("apns-request-id"),
      body: bytes(response.member("content"))
    )
  }
}
