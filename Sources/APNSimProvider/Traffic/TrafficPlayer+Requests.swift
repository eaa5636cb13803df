import APNSimCore
import APNSimScenario
import APNSimWire

/// A provider that pushes by requests.
extension TrafficPlayer {
  /// Makes the requests of a step, each with the provider token that it is to have.
  /// - Returns: those whose recipients have tokens, and a description of each other one.
  func requests(
    _ pushed: [TrafficRequest],
    _ token: TrafficToken?,
    _ simulator: Simulator,
    at now: Timestamp
  ) throws -> (requests: [PushRequest], failures: [String]) {
    if let token { (self.token, minted) = (token, nil) }
    var requests: [PushRequest] = []
    var failures: [String] = []
    let time = simulator.time(at: now)
    for request in pushed {
      let app = AppKey(topic: request.app, environment: provider.app.environment)
      guard let deviceToken = simulator.token(of: request.recipient, for: app) else {
        failures.append("\(name): \(request.recipient) has no token for \(app)")
        continue
      }
      for _ in 0..<request.count {
        let authorization = try authorization(at: time)
        let list = request.headerList(token: deviceToken, isByToken: authorization != nil, at: time)
        let fields = list.drop(while: { $0.name.first == UInt8(ascii: ":") }).map { field in
          let name = String(decoding: field.name, as: UTF8.self)
          let value = String(decoding: field.value, as: UTF8.self)
          return (name: name, value: name == "authorization" && value.isEmpty ? authorization ?? "" : value)
        }
        var push = PushRequest(token: Hex.encode(deviceToken), fields: fields, body: request.payload)
        (push.method, push.otherPath) = (request.method, request.path)
        requests.append(push)
      }
    }
    return (requests, failures)
  }

  /// The value of `authorization`; nil for a request without one.
  private func authorization(at time: Timestamp) throws -> String? {
    guard !provider.hasCertificate, token.isThere, let keys else { return nil }
    if minted == nil || token.isPerRequest {
      minted = "bearer " + (try keys.sign(token, issuedAt: time + -token.age))
    }
    return minted
  }
}
