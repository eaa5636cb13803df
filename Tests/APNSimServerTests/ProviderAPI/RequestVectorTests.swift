import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

/// The pushes of `fixtures/vectors/http2.json` over TLS: answers do not depend on how they are cut or interleaved.
@Suite(.mustNotHang) struct `Request vectors over TLS` {
  /// A push to a device.
  struct Vector: Sendable, CustomStringConvertible {
    var id: String
    var name: String
    var auth: String
    var isSandbox: Bool
    var request: [(String, String)]
    var method: String
    var path: String
    var body: [UInt8]
    var scheme: String?
    var status: Int
    var reason: String?

    var description: String { "\(id): \(name)" }
    /// Its answer depends on nothing that came before it on its connection.
    var isPlain: Bool { auth == "valid-jwt" && !isSandbox }

    static func load() throws -> [Vector] {
      let file = try JSONSerialization.jsonObject(with: Fixtures.data("vectors/http2.json"))
      let all = try #require((file as? [String: Any])?["vectors"] as? [[String: Any]])
      return try all.filter { ($0["path"] as? String)?.hasPrefix("/3/device") == true }.map(Vector.init)
    }

    init(_ object: [String: Any]) throws {
      let expected = try #require(object["expect"] as? [String: Any])
      id = try #require(object["id"] as? String)
      name = try #require(object["name"] as? String)
      auth = try #require(object["auth"] as? String)
      isSandbox = object["environment"] as? String == "sandbox"
      request = (object["headers"] as? [String: String] ?? [:]).sorted { $0.key < $1.key }
      method = try #require(object["method"] as? String)
      path = try #require(object["path"] as? String)
      let text = object["body"] as? String ?? ""
      let size = object["body_len"] as? Int ?? 0
      body = text.hasPrefix("<") ? [UInt8](repeating: 0x20, count: size) : Array(text.utf8)
      scheme = object["scheme"] as? String
      status = try #require(expected["status"] as? Int)
      reason = expected["reason"] as? String
    }

    func request(_ authorization: String?) -> TestRequester.Request {
      TestRequester.Request(
        method: method,
        path: path,
        authorization: authorization,
        headers: request.filter { $0.0 != "authorization" },
        body: body
      )
    }

    func check(_ answer: TestRequester.Answer) {
      let expected = reason.map { #"\#(status) {"reason":"\#($0)"}"# } ?? "\(status)"
      // A status of 410 says since when.
      let found = status == 410 ? answer.text.replacing(/,"timestamp":\d+/, with: "") : answer.text
      #expect(found == expected, "\(self)")
      #expect((answer.headers["apns-unique-id"] != nil) == isSandbox, "\(self)")
      #expect(answer.headers["content-type"] == nil, "\(self)")
    }
  }

  static let start = Timestamp(seconds: 1_780_000_000)

  private func configure(_ options: inout TestServer.Options) throws {
    options.start = Self.start
    options.stopTheClock()
    options.server.listening.environment = .both
    options.server.requests.authKeys = [try #require(TestTokens.otherKeyFile) + ":" + TestTokens.otherTeam]
    options.core.tokens = .known
    options.scenario.devices = GatewayVector.devices
    options.scenario.teams["com.example.nope"] = TestTokens.otherTeam
    let voip = AppKey(topic: "com.example.sim.voip", environment: .production)
    options.scenario.devices[0].apps.append(
      AppSpecification(app: voip, token: Array(repeating: 0xB1, count: 32))
    )
    let sandbox = AppKey(topic: "com.example.sim", environment: .sandbox)
    options.scenario.devices[0].apps.append(AppSpecification(app: sandbox, token: Frames.online))
  }

  /// The value of `authorization` that a vector's word stands for.
  private func authorization(_ vector: Vector) throws -> String? {
    let now = Self.start.seconds
    let header = #"{"alg":"ES256","kid":"APNSIMKEY1"}"#
    func claims(_ age: Int64 = 0, team: String = TestTokens.team) -> String {
      #"{"iss":"\#(team)","iat":\#(now + age)}"#
    }
    switch vector.auth {
    case "none": return nil
    case "valid-jwt", "jwt:second": return try TestTokens.signed(header, claims())
    case "jwt:der": return try TestTokens.signed(header, claims(), derSignature: true)
    case "jwt:iat-string":
      return try TestTokens.signed(header, #"{"iss":"\#(TestTokens.team)","iat":"\#(now)"}"#)
    case "jwt:team2":
      let key = try ProviderKey.read(#require(TestTokens.otherKeyFile))
      let header = #"{"alg":"ES256","kid":"\#(TestTokens.otherKey)"}"#
      return try TestTokens.signed(header, claims(team: TestTokens.otherTeam), by: key)
    case "jwt:none": return try TestTokens.signed(#"{"alg":"none","kid":"APNSIMKEY1"}"#, claims())
    case "jwt:hs256": return try TestTokens.signed(#"{"alg":"HS256","kid":"APNSIMKEY1"}"#, claims())
    case "jwt:no-kid": return try TestTokens.signed(#"{"alg":"ES256"}"#, claims())
    case "jwt:kid-unknown": return try TestTokens.signed(#"{"alg":"ES256","kid":"NOBODYS001"}"#, claims())
    case "jwt:iss-other": return try TestTokens.signed(header, claims(team: "OTHER"))
    case "jwt:badsig": return try TestTokens.signed(header, claims(), by: ProviderKey.generate())
    case let auth where auth.hasPrefix("jwt:iat"):
      return try TestTokens.signed(header, claims(#require(Int64(auth.dropFirst(7)))))
    case let auth where auth.hasPrefix("cert:"): return "bearer nonsense"
    case "BEARER": return try TestTokens.signed(header, claims()).replacing("bearer", with: "Bearer")
    default: return vector.auth
    }
  }

  private func identity(_ vector: Vector) throws -> TLSIdentity? {
    guard vector.auth.hasPrefix("cert:") else { return nil }
    guard vector.auth == "cert:multi" else {
      return try TestPKI.provider(String(vector.auth.dropFirst(5)))
    }
    let topics = ["com.example.sim", "com.example.sim.voip"].map { TopicsExtension.Topic(name: $0) }
    return try TestPKI.identity(.provider(topics: topics, environments: .production))
  }

  @Test(arguments: [Cuts.whole, .seeded(1)])
  func `each on a connection of its own`(_ cuts: Cuts) async throws {
    try await TestServer.run(configure) { test in
      let vectors = try Vector.load()
      #expect(vectors.count >= 36)
      for vector in vectors {
        let port = vector.isSandbox ? test.endpoints.sandboxHTTP2Port : test.endpoints.http2Port
        let requester = try await TestRequester.connect(test, port: port, as: identity(vector))
        if ["jwt:second", "jwt:team2"].contains(vector.auth) {
          let first = try TestTokens.bearer(issuedAt: Self.start)
          #expect(try await requester.push(TestRequester.Request(authorization: first)).status == 200)
        }
        let (stream, bytes) = try requester.frames(vector.request(authorization(vector)))
        try await requester.provider.send(pieces: cuts.pieces(of: bytes))
        vector.check(await requester.answer(stream))
        await requester.provider.close()
      }
    }
  }

  @Test func `vectors of requests get their answers all in one write`() async throws {
    try await TestServer.run(configure) { test in
      let vectors = try Vector.load().filter(\.isPlain)
      let token = try TestTokens.bearer(issuedAt: Self.start)
      let requester = try await TestRequester.connect(test)
      let frames = vectors.map { requester.frames($0.request(token)) }
      try await requester.provider.send(frames.flatMap(\.bytes))
      for (vector, answer) in zip(vectors, await requester.answers(frames.map(\.stream))) {
        vector.check(answer)
      }
      await requester.provider.close()
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `vectors of requests get their answers interleaved over a hundred streams`(_ seed: UInt64) async throws
  {
    try await TestServer.run(configure) { test in
      let plain = try Vector.load().filter(\.isPlain)
      let vectors = (0..<100).map { plain[$0 % plain.count] }
      let token = try TestTokens.bearer(issuedAt: Self.start)
      let requester = try await TestRequester.connect(test)
      var generator = SeededGenerator(seed: seed)
      let streams = vectors.map { _ in requester.takeStream() }
      var bytes = zip(vectors, streams).flatMap { TestRequester.headers($0.request(token), on: $1) }
      var rest = zip(streams, vectors).map { (stream: $0, body: $1.body[...]) }.filter { !$0.body.isEmpty }
      while !rest.isEmpty {
        let place = Int.random(in: 0..<rest.count, using: &generator)
        let count = Int.random(in: 1...2048, using: &generator)
        let (stream, body) = rest[place]
        let isLast = count >= body.count
        bytes += TestRequester.data(body.prefix(count), on: stream, isLast: isLast)
        rest[place].body = body.dropFirst(count)
        if isLast { rest.remove(at: place) }
      }
      try await requester.provider.send(pieces: Cuts.seeded(seed).pieces(of: bytes))
      for (vector, answer) in zip(vectors, await requester.answers(streams)) { vector.check(answer) }
      await requester.provider.close()
    }
  }
}
