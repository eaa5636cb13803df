import APNSimCore
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@Suite struct `Request vectors against the pure core` {
  /// A vector: pushes to devices, and channels.
  struct Vector: CustomStringConvertible {
    let object: [String: Any]

    var id: String { object["id"] as? String ?? "" }
    var description: String { "\(id): \(object["name"] as? String ?? "")" }
    var isOfDevices: Bool { (object["path"] as? String)?.hasPrefix("/3/device") ?? false }

    static func load() throws -> [Vector] {
      let file = try JSONSerialization.jsonObject(with: Fixtures.data("vectors/http2.json"))
      let vectors = try #require((file as? [String: Any])?["vectors"] as? [[String: Any]])
      return vectors.map(Vector.init)
    }
  }

  @Test func `vectors of pushes get their answers`() throws {
    let vectors = try Vector.load().filter(\.isOfDevices)
    #expect(vectors.count >= 36)
    for vector in vectors { try check(vector) }
  }

  @Test func `vectors of channels get their answers`() throws {
    let vectors = try Vector.load().filter {
      !$0.isOfDevices && ["F56", "F57", "F58", "F59"].contains($0.id)
    }
    #expect(vectors.count == 4)
    for vector in vectors {
      let object = vector.object
      let requester = try ChannelRequester(Samples.simulator())
      var headers = object["headers"] as? [String: String] ?? [:]
      if headers["apns-channel-id"] == "<created>" { headers["apns-channel-id"] = try requester.create() }
      let answer = try requester.send(
        object["method"] as? String ?? "",
        object["path"] as? String ?? "",
        headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
        body: object["body"] as? String ?? ""
      )
      let expected = try #require(object["expect"] as? [String: Any])
      #expect(Int(answer.status) == expected["status"] as? Int, "\(vector)")
      #expect(answer.reason?.name() == expected["reason"] as? String, "\(vector)")
      guard object["expect_header"] != nil else { continue }
      #expect(answer.header("apns-channel-id").flatMap { Base64.decode($0) }?.isEmpty == false)
      #expect(answer.header("apns-request-id")?.utf8.count == 36)
    }
  }

  private func check(_ vector: Vector) throws {
    let object = vector.object
    let isSandbox = object["environment"] as? String == "sandbox"
    let auth = object["auth"] as? String ?? ""
    let topics =
      auth == "cert:multi"
      ? ["com.example.sim", "com.example.sim.voip"]
      : auth.hasPrefix("cert:") ? [String(auth.dropFirst(5))] : []
    let provider = try CoreRequester(
      simulator(isSandbox: isSandbox),
      topics: topics,
      environment: isSandbox ? .sandbox : .production
    )
    let headers = object["headers"] as? [String: String] ?? [:]
    var body = object["body"] as? String ?? ""
    if body.hasPrefix("<") { body = String(repeating: " ", count: object["body_len"] as? Int ?? 0) }
    let request = provider.request(
      topic: headers["apns-topic"],
      headers: headers.filter { $0.key != "apns-topic" && $0.key != "authorization" }
        .sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
      body: body,
      method: object["method"] as? String ?? "",
      path: object["path"] as? String,
      authorization(auth)
    )
    // The last one of a sequence is judged; the first one binds the connection.
    if ["jwt:second", "jwt:team2"].contains(auth) { provider.send(provider.request(to: Self.online)) }
    let answer = try #require(provider.send(request))
    let expected = try #require(object["expect"] as? [String: Any])
    #expect(Int(answer.status) == expected["status"] as? Int, "\(vector)")
    #expect(answer.reason?.name() == expected["reason"] as? String, "\(vector)")
    #expect((answer.header("apns-unique-id") != nil) == isSandbox, "\(vector)")
    if let id = headers["apns-id"] {
      #expect(answer.header("apns-id") == id || answer.reason == .badMessageId)
    }
  }

  private static let online = "96385da767191121a851963983fdac9bbdf74dcf6219ae14ed8d082288aaebaf"

  private func authorization(_ auth: String) -> RequestAuthorization {
    switch auth {
    case "none": RequestAuthorization()
    case "Basic eDp5": RequestAuthorization(scheme: .other)
    case "jwt:second": CoreRequester.token(2)
    case "jwt:team2": CoreRequester.token(3, team: "OTHER")
    case "jwt:none", "jwt:hs256", "jwt:no-kid": CoreRequester.token(4, .malformed)
    case "jwt:badsig": CoreRequester.token(4, .badSignature)
    case "jwt:kid-unknown": CoreRequester.token(4, .unknownKey)
    case "jwt:iss-other": CoreRequester.token(4, team: "OTHER", scope: ProviderKeyScope(team: "TEAM"))
    case "jwt:iat+3660": CoreRequester.token(4, issuedAt: Moment.start + .seconds(3660))
    case "jwt:iat-3601": CoreRequester.token(4, issuedAt: Moment.start + .seconds(-3601))
    case let auth where auth.hasPrefix("cert:"): .certificate
    default: CoreRequester.token()
    }
  }

  private func simulator(isSandbox: Bool) throws -> Simulator {
    var scenario = Scenario()
    scenario.clock = .virtual(start: Moment.start)
    scenario.devices = GatewayVector.devices
    scenario.teams["com.example.nope"] = "OTHER"
    let voip = AppKey(topic: "com.example.sim.voip", environment: .production)
    scenario.devices[0].apps.append(AppSpecification(app: voip, token: Array(repeating: 0xB1, count: 32)))
    if isSandbox {
      let app = AppKey(topic: "com.example.sim", environment: .sandbox)
      scenario.devices[0].apps.append(AppSpecification(app: app, token: Hex.decode(Self.online)))
    }
    var configuration = Configuration()
    configuration.tokens = .known
    return try Simulator(configuration: configuration, scenario: scenario, seed: 1, start: Moment.start)
  }
}
