internal import APNSimServer
internal import APNSimWire
internal import HTTPTypes
internal import Hummingbird

/// `GET /livez` and `GET /readyz`: for whoever starts the simulator and waits for it. They need no token.
enum HealthResource {
  static let paths = ["/livez", "/readyz"]

  /// Nil for any other path.
  static func answer(
    _ path: String,
    _ method: HTTPRequest.Method,
    _ services: ControlServices
  ) -> Response? {
    guard paths.contains(path) else { return nil }
    guard method == .get || method == .head else {
      return Problem.methodNotAllowed(method.rawValue, allowed: ["GET", "HEAD"]).response
    }
    let missing = path == "/livez" ? [] : services.missing
    return .json(missing.isEmpty ? .ok : .serviceUnavailable) { writer in
      writer.member("ok", missing.isEmpty)
      writer.member("missing", missing)
      // Where everything is, for who has waited for it; as the endpoints file says it.
      guard path == "/readyz", missing.isEmpty, let endpoints = services.endpoints else { return }
      writer.key("endpoints")
      writer.raw(endpoints.json.utf8)
    }
  }
}
