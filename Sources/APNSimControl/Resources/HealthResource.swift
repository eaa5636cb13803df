import APNSimServer
import APNSimState
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
    let health = Health(missing: missing)
    let status: HTTPResponseStatus = missing.isEmpty ? .ok : .serviceUnavailable
    guard path == "/readyz", isKnown else { return .json(status, health) }
    let trouble = missing.contains("state") ? services.trouble : nil
    // The addresses for a client that has waited, in the form of the endpoints file.
    let main = missing.isEmpty ? services.main : nil
    return .json(
      status,
      Readiness(
        health: health,
        trouble: trouble.map { .init(text: $0, progress: services.durable?.openProgress) },
        endpoints: main.flatMap { services.endpoints(of: $0.server, for: request) }
      )
    )
  }
}

struct Health: JSONObject {
  let missing: [String]

  static let shape = JSONShape<Self>("Health") {
    $0.member("ok") { $0.missing.isEmpty }
    $0.list(
      "missing",
      "Listeners that do not accept, and `state`: it is being restored, or nothing can be kept."
    ) { $0.missing }
  }
}

struct Readiness: JSONObject {
  let health: Health
  let trouble: Trouble?
  let endpoints: Endpoints?

  struct Trouble: JSONObject {
    let text: String
    let progress: StateProgress?

    static let shape = JSONShape<Self> {
      $0.member("text", "For people.") { $0.text }
      $0.optional("inputs", "The inputs of the log that have happened again.", .least(0)) {
        $0.progress?.inputs
      }
      $0.optional("bytes", "The bytes of the log that have been read.", .least(0)) { $0.progress?.bytes }
      $0.optional("byteCount", "The bytes of the log; 0 while that is not known.", .least(0)) {
        $0.progress?.byteCount
      }
    }
  }

  static let shape = JSONShape<Self>("Readiness") {
    $0.members { $0.health }
    $0.optional(
      "state",
      "Where `state` is missing: why, and how far it has been restored; for a request with access."
    ) { $0.trouble }
    $0.optional("endpoints", "Once nothing is missing; for a request with access.") { $0.endpoints }
  }
}
