import APNSimServer
import APNSimWire
import NIOHTTP1

/// `GET /livez` and `GET /readyz`: for scripts that start the simulator and wait for it. They need no
/// token; without access they say only whether it is ready.
enum HealthResource {
  static let paths = ["/livez", "/readyz"]

  /// Answers one of these paths; nil for any other.
  /// - Parameter isKnown: true for a request that has access: others learn no ports, paths or process ids.
  static func answer(
    _ request: HTTPRequest,
    _ services: ControlServices,
    isKnown: Bool
  ) -> Response? {
    let (path, method) = (request.path, request.method)
    guard paths.contains(path) else { return nil }
    guard method == .GET || method == .HEAD else {
      return ProblemDetails.methodNotAllowed(method.rawValue, allowed: ["GET", "HEAD"]).response
    }
    let missing = path == "/livez" ? [] : services.missing
    return .json(missing.isEmpty ? .ok : .serviceUnavailable) { writer in
      writer.member("ok", missing.isEmpty)
      writer.member("missing", missing)
      if isKnown, missing.contains("state"), let trouble = services.trouble {
        writer.key("state")
        writer.beginObject()
        writer.member("text", trouble)
        services.durable?.writeProgress(to: &writer)
        writer.endObject()
      }
      // The addresses for a client that has waited, in the form of the endpoints file.
      guard isKnown, path == "/readyz", missing.isEmpty, let main = services.main,
        let endpoints = services.endpoints(of: main.server, for: request)
      else { return }
      writer.key("endpoints")
      writer.raw(endpoints.json.utf8)
    }
  }
}
