import APNSimWire

/// One request to the control API.
struct ControlRequest: Sendable {
  enum Method: String, Sendable {
    case get = "GET"
    case put = "PUT"
    case patch = "PATCH"
    case post = "POST"
    case delete = "DELETE"
  }

  var method: Method
  /// Below `/api/v1`, or below the sandbox's place there; each segment is escaped when it is sent.
  var path: [String]
  var query: [(name: String, value: String)] = []
  var body: Body?
  /// The id of the last known event (server-sent events).
  var lastEventID: String?
  /// The time the answer may take; nil waits as long as the server lives.
  var timeout: Duration? = .seconds(30)
  /// True for a path that begins at the root and not at the API's: `/readyz`.
  var isOfServer = false

  struct Body: Sendable {
    var bytes: [UInt8]
    var type: String

    static func json(_ value: JSONValue) -> Body {
      Body(bytes: Array(value.description.utf8), type: "application/json")
    }
  }

  init(_ method: Method, _ path: String..., query: [(name: String, value: String)] = []) {
    self.method = method
    self.path = path
    self.query = query
  }

  /// A copy with a body.
  func with(_ json: JSONValue) -> ControlRequest {
    var request = self
    request.body = .json(json)
    return request
  }

  /// The request's target: `/api/v1/sandboxes/s1/devices/bob?query=…`.
  func target(sandbox: String?) -> String {
    var segments = path
    if !isOfServer {
      if let sandbox { segments = ["sandboxes", sandbox] + segments }
      segments = ["api", "v1"] + segments
    }
    var text = segments.map { "/" + Self.escape($0) }.joined()
    let pairs = query.map { "\(Self.escape($0.name))=\(Self.escape($0.value))" }
    if !pairs.isEmpty { text += "?" + pairs.joined(separator: "&") }
    return text
  }

  /// Everything but RFC 3986's unreserved characters, percent-encoded.
  private static func escape(_ text: String) -> String {
    var escaped = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      default: escaped += "%" + Hex.encode([byte]).uppercased()
      }
    }
    return escaped
  }
}
