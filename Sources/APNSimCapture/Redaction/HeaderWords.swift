import APNSimWire

/// The known words of a request's header list: names, and values that say nothing about anybody.
enum HeaderWords {
  /// The names that stay.
  static let names: Set<String> = [
    ":method", ":scheme", ":path", ":authority", "apns-id", "apns-topic", "apns-push-type", "apns-priority",
    "apns-expiration", "apns-collapse-id", "apns-channel-id", "apns-request-id", "apns-unique-id",
    "authorization", "host", "te", "user-agent", "content-type", "content-length", "content-encoding",
    "accept",
    "accept-encoding", "accept-language", "accept-charset", "cache-control", "cookie", "connection", "date",
    "expect", "forwarded", "keep-alive", "origin", "pragma", "priority", "proxy-authorization",
    "proxy-connection", "referer", "traceparent", "tracestate", "transfer-encoding", "upgrade", "via",
    "x-forwarded-for", "x-forwarded-proto", "x-request-id",
  ]

  /// The segments of paths that stay, in any case.
  static let segments: Set<String> = [
    "1", "3", "4", "v3", "device", "broadcasts", "apps", "channels", "all-channels", "http:", "https:",
  ]

  /// True for a value of a header that stays.
  static func isKnown(_ value: [UInt8], of name: String) -> Bool {
    switch name {
    case "apns-id", "apns-request-id": value.withUnsafeBytes { Identifier.isCanonical($0) }
    case "apns-push-type": value.withUnsafeBytes { PushType($0, ignoringCase: true) } != nil
    // As short as the numbers of payloads that stay.
    case "apns-priority": value.count <= 5 && isNumber(value)
    case "apns-expiration": isNumber(value) && Int64(String(decoding: value, as: UTF8.self)) != nil
    case "content-length": value.count <= 10 && isNumber(value)
    default: values[name]?.contains(String(decoding: value, as: UTF8.self)) ?? false
    }
  }

  private static func isNumber(_ text: [UInt8]) -> Bool {
    !text.isEmpty && text.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static let types = ["application/json", "text/plain", "application/x-www-form-urlencoded"]

  private static let values: [String: Set<String>] = [
    ":method": ["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT"],
    ":scheme": ["http", "https"],
    "te": ["trailers"],
    "content-type": Set(
      types + types.flatMap { ["\($0); charset=utf-8", "\($0); charset=UTF-8", "\($0);charset=utf-8"] }
    ),
    "content-encoding": ["identity", "gzip"],
    "accept": ["*/*", "application/json", "application/json, text/plain, */*"],
    "accept-encoding": [
      "identity", "gzip", "deflate", "br", "gzip, deflate", "gzip, deflate, br", "gzip, deflate, br, zstd",
    ],
  ]
}
