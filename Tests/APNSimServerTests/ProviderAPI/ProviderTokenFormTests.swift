import APNSimCore
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import Foundation
import Testing

/// The forms of provider tokens that widely used libraries send, which Apple has taken for years.
@Suite(.mustNotHang) struct `Forms of provider tokens` {
  private static let start = Timestamp(seconds: 1_780_000_000)

  private func answers(
    _ authorizations: [String],
    _ change: (inout TestServer.Options) throws -> Void = { _ in }
  ) async throws -> [String] {
    var answers: [String] = []
    try await TestServer.run { options in
      options.start = Self.start
      options.stopTheClock()
      TestServer.known(&options)
      options.core.tokenUpdates = .off
      try change(&options)
    } _: { test in
      let requester = try await TestRequester.connect(test)
      for authorization in authorizations {
        answers.append(try await requester.push(TestRequester.Request(authorization: authorization)).text)
      }
      await requester.provider.close()
    }
    return answers
  }

  private static let claims = #"{"iss":"\#(TestTokens.team)","iat":\#(start.seconds)}"#

  /// A token signed with a hash, r and s in halves of so many bytes.
  private static func token(_ name: String, _ hash: ProviderKey.Hash, half: Int) throws -> String {
    let text =
      TestTokens.base64(Array(#"{"alg":"\#(name)","kid":"APNSIMKEY1"}"#.utf8)) + "."
      + TestTokens.base64(Array(claims.utf8))
    let raw = try TestTokens.key().sign(Array(text.utf8), hash: hash)
    let zeros = [UInt8](repeating: 0, count: half - 32)
    return "bearer \(text).\(TestTokens.base64(zeros + raw.prefix(32) + zeros + raw.suffix(32)))"
  }

  @Test func `tokens of pushok are taken: ES512 and ES384 over a P-256 key, padded`() async throws {
    let tokens = [
      try Self.token("ES512", .sha512, half: 66), try Self.token("ES384", .sha384, half: 48),
      try Self.token("ES512", .sha512, half: 32),
    ]
    #expect(try await answers(tokens) == ["200", "200", "200"])
    // The hash is that of the name.
    let wrong = [try Self.token("ES512", .sha256, half: 66), try Self.token("ES256", .sha512, half: 32)]
    let refused = #"403 {"reason":"InvalidProviderToken"}"#
    #expect(try await answers(wrong) == [refused, refused])
  }

  @Test func `tokens of apns4erl are taken: DER in plain Base64`() async throws {
    let header = #"{"alg":"ES256","kid":"APNSIMKEY1","typ":"JWT>>>???"}"#
    var plain: [String] = []
    for _ in 0..<8 {
      let text = Data(header.utf8).base64EncodedString() + "." + Data(Self.claims.utf8).base64EncodedString()
      let raw = try TestTokens.key().sign(Array(text.utf8))
      plain.append("bearer \(text).\(Data(raw).base64EncodedString())")
    }
    #expect(plain[0].contains("+") || plain[0].contains("/"))
    #expect(try await answers(plain) == Array(repeating: "200", count: 8))
  }

  @Test func `HS256, none and a key of another curve are refused as ever`() async throws {
    let refused = #"403 {"reason":"InvalidProviderToken"}"#
    let tokens = try ["HS256", "none", "ES256K", "RS256"].map {
      try TestTokens.signed(#"{"alg":"\#($0)","kid":"APNSIMKEY1"}"#, Self.claims)
    }
    #expect(try await answers(tokens) == Array(repeating: refused, count: 4))
  }

  @Test func `where all tokens are taken, three parts and a readable header are enough, whatever the age`()
    async throws
  {
    let old = #"{"iss":"T","iat":1}"#
    let texts = try [
      TestTokens.signed(#"{"alg":"HS256"}"#, old), TestTokens.signed("{}", "[]"),
      "bearer \(TestTokens.base64(Array("{}".utf8))).x.y",
    ]
    // Each on a connection of its own: a connection belongs to the team of its first push.
    for text in texts {
      #expect(try await answers([text]) { $0.server.requests.providerTokens = .any } == ["200"])
    }
    let refused = #"403 {"reason":"InvalidProviderToken"}"#
    #expect(try await answers(["bearer a.b.c"]) { $0.server.requests.providerTokens = .any } == [refused])
  }

  @Test func `a state of version 0.2 goes on refusing them`() async throws {
    let tokens = [try Self.token("ES512", .sha512, half: 66), try Self.token("ES256", .sha256, half: 32)]
    #expect(
      try await answers(tokens) { $0.core.rules = .first } == [
        #"403 {"reason":"InvalidProviderToken"}"#, "200",
      ]
    )
  }

  @Test func `the cause of a refusal stands in the log, with nothing of the token`() async throws {
    let token = try TestTokens.bearer(issuedAt: Self.start, team: "MYOWNTEAM1")
    try await TestServer.run { options in
      options.start = Self.start
      options.stopTheClock()
      TestServer.known(&options)
    } _: { test in
      let requester = try await TestRequester.connect(test)
      _ = try await requester.push(TestRequester.Request(authorization: token))
      await requester.provider.close()
      let said = test.simulator.refusedAuthorization(of: 1) ?? ""
      #expect(said.contains(#"team "MYOWNTEAM1", and its key "APNSIMKEY1" belongs to the team "APNSIMTEAM""#))
      #expect(await test.log.waitAndCount(said) == 1)
      #expect(!test.log.lines.contains { $0.contains(token.suffix(20)) })
    }
  }
}
