import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

/// `fixtures/vectors/tokens.json`.
struct TokenVectors: Decodable {
  struct Token: Decodable {
    var device: String
    var identifier: String
    var topic: String
    var environment: String
    var token: String
  }

  struct Refused: Decodable {
    var name: String
    var topic: String
    var environment: String
    var token: String
  }

  var key: String
  var tokens: [Token]
  var refused: [Refused]

  static func load() throws -> TokenVectors {
    try JSONDecoder().decode(TokenVectors.self, from: Fixtures.data("vectors/tokens.json"))
  }

  func authority() throws -> TokenAuthority { try TokenAuthority(key: try #require(Hex.decode(key))) }
}

private func app(_ topic: String, _ environment: String) throws -> AppKey {
  AppKey(topic: topic, environment: try #require(PushEnvironment(rawValue: environment)))
}

@Suite(.mustNotHang) struct `Issued tokens` {
  @Test func `the published vectors come out and open again`() throws {
    let vectors = try TokenVectors.load()
    let authority = try vectors.authority()
    #expect(vectors.tokens.count == 9)
    for vector in vectors.tokens {
      let app = try app(vector.topic, vector.environment)
      let identifier = try #require(Hex.decode(vector.identifier))
      #expect(Hex.encode(authority.issue(device: identifier, app: app)) == vector.token)
      #expect(authority.open(try #require(Hex.decode(vector.token)), app: app) == identifier)
    }
    for vector in vectors.refused {
      let app = try app(vector.topic, vector.environment)
      #expect(authority.open(try #require(Hex.decode(vector.token)), app: app) == nil, "\(vector.name)")
    }
  }

  @Test func `a device of a name gets the token of the vectors`() throws {
    let vectors = try TokenVectors.load()
    for vector in vectors.tokens {
      var scenario = Scenario()
      let app = try app(vector.topic, vector.environment)
      scenario.devices = [DeviceSpecification(name: vector.device, apps: [AppSpecification(app: app)])]
      let simulator = try Simulator(
        scenario: scenario,
        seed: 1,
        start: Timestamp(seconds: 0),
        tokenIssuer: try vectors.authority()
      )
      let view = try #require(simulator.device(vector.device)?.apps.first)
      #expect(Hex.encode(view.token) == vector.token)
      #expect(view.isIssued)
    }
  }

  @Test func `a gateway takes them in another run and refuses every other one with status 8`() async throws {
    let vectors = try TokenVectors.load()
    let issuer = try vectors.authority()
    let mine = vectors.tokens.filter { $0.topic == "com.example.app" && $0.environment == "production" }
    try await TestServer.run {
      $0.core.tokens = .issued
      $0.issuer = issuer
    } _: { test in
      let identity = try TestPKI.provider("com.example.app")
      let good = try await test.gateway(identity)
      for (number, vector) in mine.enumerated() {
        let token = try #require(Hex.decode(vector.token))
        try await good.send(Frames.enhanced(UInt32(number + 1), to: token))
      }
      try await good.finish()
      #expect(await good.readToEndAndClose().bytes.isEmpty)
      #expect(test.simulator.notifications().map(\.outcome) == mine.map { _ in .delivered })

      for vector in vectors.refused {
        let bad = try await test.gateway(identity)
        try await bad.send(Frames.enhanced(7, to: try #require(Hex.decode(vector.token))))
        #expect(await bad.readToEndAndClose().bytes == Frames.response(8, 7), "\(vector.name)")
      }
    }
  }
}
