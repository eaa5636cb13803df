internal import APNSimServer
internal import Hummingbird

/// `GET /endpoints`: where the simulator listens and with which certificates, as `--print json` says it.
enum EndpointsResource {
  static let routes: [Route] = [Route(.get, "/endpoints", answer: get)]

  private static func get(_ call: Call) async throws -> Response {
    guard let endpoints = call.server.endpoints else {
      throw Problem(.serviceUnavailable, title: "Not ready", detail: "the simulator is starting")
    }
    return .bytes(Array(endpoints.json.utf8) + [UInt8(ascii: "\n")], type: "application/json")
  }
}
