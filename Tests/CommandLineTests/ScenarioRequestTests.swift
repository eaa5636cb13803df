import APNSimTestSupport
import Foundation
import Testing

@Suite(.mustNotHang) struct `Requests of a scenario` {
  private let folder: TemporaryDirectory
  private static let listening = ["--listen", "--certs", TestCertificates.path, "--timeout", Hang.timeout]

  init() throws { folder = try TemporaryDirectory() }

  /// Plays a scenario with an app, a device and these parts, without a network and over TLS.
  private func run(_ parts: String) async throws -> [Binary.Result] {
    let path = try folder.write(
      "requests.yaml",
      """
      clock: { mode: virtual, start: 2026-03-01T00:00:00Z }
      apps: { com.example.app: { environment: both }, com.example.other: {} }
      devices:
        alice:
          apps:
            - { topic: com.example.app, environment: production }
            - { topic: com.example.app, environment: sandbox }

      """ + parts
    )
    var results: [Binary.Result] = []
    for options in [[], Self.listening] {
      results.append(try await Binary.run(["scenario", "run", path] + options, in: folder))
    }
    return results
  }

  private func expectSuccess(_ parts: String) async throws {
    for result in try await run(parts) { #expect(result.status == 0, "\(result.output)\(result.errors)") }
  }

  @Test func `requests of a scenario carry provider tokens of every kind, over TLS as without`() async throws
  {
    try await expectSuccess(
      """
      traffic:
        - { connection: usual, environment: production, topic: com.example.app, push: { to: alice } }
        - { connection: usual, jwt: { signature: bad }, push: { to: alice } }
        - { connection: team, topic: com.example.app, jwt: { team: OTHERTEAM1 }, push: { to: alice } }
        - { connection: bad, topic: com.example.app, jwt: { signature: bad }, push: { to: alice } }
        - { connection: unknown, topic: com.example.app, jwt: { signature: unknownKey }, push: { to: alice } }
        - { connection: new, topic: com.example.app, jwt: { key: NEWKEY0001, signature: unknownKey }, push: { to: alice } }
        - { connection: malformed, topic: com.example.app, jwt: { signature: malformed }, push: { to: alice } }
        - { connection: der, topic: com.example.app, jwt: { signature: der, key: DERKEY0001 }, push: { to: alice } }
        - { connection: text, topic: com.example.app, jwt: { textTime: true, key: TEXTKEY001 }, push: { to: alice } }
        - { connection: none, topic: com.example.app, jwt: none, push: { to: alice } }
        - { connection: sandbox, topic: com.example.app, environment: sandbox, push: { to: alice } }
        - { at: 61m, connection: usual, push: { to: alice } }
        - { at: 61m, connection: der, push: { to: alice } }
        - { at: 62m, connection: der, jwt: { signature: der, key: DERKEY0001, age: 1m }, push: [{ to: alice }, { to: alice }] }
      expect:
        - { connection: usual, answers: [200, 403 InvalidProviderToken, 403 InvalidProviderToken] }
        - { connection: team, answers: [200], ending: open }
        - { connection: bad, answers: [403 InvalidProviderToken] }
        - { connection: unknown, answers: [403 InvalidProviderToken] }
        - { connection: new, answers: [403 InvalidProviderToken] }
        - { connection: malformed, answers: [403 InvalidProviderToken] }
        - { connection: der, answers: [200, 403 ExpiredProviderToken, 200, 200] }
        - { connection: text, answers: [200] }
        - { connection: none, answers: [403 MissingProviderToken] }
        - { connection: sandbox, answers: [200], accepted: 1 }
        - { where: { environment: sandbox, outcome: delivered }, count: 1 }
        - { where: { auth.team: OTHERTEAM1, outcome: delivered }, count: 1 }
        - { where: { auth.key: NEWKEY0001 }, count: 1 }
      """
    )
  }

  @Test func `requests of a scenario come with certificates of every kind, over TLS as without`() async throws
  {
    try await expectSuccess(
      """
      traffic:
        - { connection: good, topic: com.example.app, environment: production, certificate: good, push: { to: alice } }
        - { connection: good, push: { to: "abcd", topic: com.example.other } }
        - { connection: revoked, topic: com.example.app, certificate: revoked, push: { to: alice } }
        - { connection: expired, topic: com.example.app, certificate: expired, push: { to: alice } }
        - { connection: foreign, topic: com.example.app, certificate: foreign, push: { to: alice } }
        - { connection: other, topic: com.example.app, certificate: wrongEnvironment, push: { to: alice } }
        - { connection: told, topic: com.example.app, certificate: wrongEnvironment, push: { to: alice } }
      expect:
        - { connection: good, answers: [200, 400 TopicDisallowed], ending: open }
        - { connection: revoked, answers: [], ending: refused, alert: 44 }
        - { connection: expired, answers: [], ending: refused, alert: 45 }
        - { connection: foreign, answers: [], ending: refused, alert: 48 }
        - { connection: other, answers: [], ending: close }
        - { connection: told, answers: [GOAWAY NO_ERROR 0], ending: close }
        - { where: {}, count: 2 }
      """
    )
  }

  @Test func `requests of a scenario meet faults, over TLS as without`() async throws {
    try await expectSuccess(
      """
      rules:
        - { when: { payload: { aps.alert: deaf } }, fault: stopReading }
        - { when: { payload: { aps.alert: close } }, fault: close }
        - { when: { payload: { aps.alert: reset } }, fault: reset }
        - { when: { payload: { aps.alert: shutdown } }, fault: shutdown }
        - { when: { payload: { aps.alert: late } }, reply: { reason: InternalServerError, delay: 5m } }
      traffic:
        - connection: silent
          environment: production
          topic: com.example.app
          push: [{ to: alice }, { to: alice, payload: { aps: { alert: deaf } } }, { to: alice }]
        - connection: closed
          topic: com.example.app
          push: [{ to: alice }, { to: alice, payload: { aps: { alert: close } } }]
        - connection: reset
          topic: com.example.app
          push: [{ to: alice, payload: { aps: { alert: reset } } }]
        - connection: gone
          topic: com.example.app
          push: [{ to: alice }, { to: alice, payload: { aps: { alert: shutdown } } }]
        - connection: late
          topic: com.example.app
          push: [{ to: alice, payload: { aps: { alert: late } } }, { to: alice }]
        - { connection: ended, topic: com.example.app, push: { to: alice, count: 200 } }
        - { at: 1m, connection: closed, push: { to: alice } }
        - { at: 1m, connection: silent, push: { to: alice } }
        - { at: 1m, connection: ended, end: true }
        - { at: 10m, connection: late, push: { to: alice } }
        - { at: 10m, connection: left, topic: com.example.app, push: { to: alice } }
        - { at: 11m, connection: left, reset: true }
      expect:
        - { connection: silent, answers: [200], ending: stopReading }
        - { connection: left, answers: [200], ending: reset }
        - { connection: closed, answers: [200], ending: close }
        - { connection: reset, answers: [], ending: reset }
        - { connection: gone, answers: [200, 503 Shutdown] }
        - { connection: late, answers: [200, 500, 200], ending: open }
        - { connection: ended, answers: [200 x 200], ending: close, accepted: 200 }
      """
    )
  }

  @Test func `requests of a scenario name what has no token, over TLS as without`() async throws {
    for result in try await run(
      """
        bob: { apps: [com.example.other] }
      traffic:
        - connection: a
          topic: com.example.app
          push: [{ to: bob }, { to: "\(String(repeating: "ab", count: 32))" }, { to: bob }]
      expect: [{ connection: a, answers: [200] }]
      """
    ) {
      #expect(result.status == 1, "\(result.output)")
      let problem = "a: the device \"bob\" has no token for"
      #expect(result.output.components(separatedBy: problem).count == 3, "\(result.output)")
    }
  }

  @Test func `requests of a scenario say which tokens only work without a network`() async throws {
    for (token, reason) in [
      ("{ environment: sandbox }", "for different environments or topics"),
      ("{ key: no-key }", "\"no-key\": over a network, keys and teams are"),
    ] {
      let results = try await run(
        """
        traffic:
          - { connection: a, topic: com.example.app, jwt: \(token), push: { to: alice } }
          - { connection: b, topic: com.example.app, push: { to: alice } }
        """
      )
      #expect(results[0].status == 0 && results[1].status == 78)
      #expect(results[1].errors.contains(reason), "\(results[1].errors)")
    }
  }
}
