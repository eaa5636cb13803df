import APNSimCore
import APNSimProvider
import APNSimTLS
import APNSimTestSupport
import APNSimTesting
import APNSimWire
import NIOCore
import Testing

/// The answers of a simulator to the provider of `send --api http2`.
@Suite(.apnsim, .mustNotHang) struct `Answers to a provider` {
  private let apns: APNSimulator

  init() throws {
    apns = try #require(APNSimulator.current)
  }

  private func run(
    certificate: Bool = false,
    count: Int,
    _ change: @escaping @Sendable (Int, inout PushRequest) -> Void = { _, _ in }
  ) async throws -> RequestReport {
    let credentials = apns.credentials
    var target = ProviderTarget(
      host: apns.host,
      port: apns.http2Port,
      certificateFile: credentials.providerCertificate.path,
      keyFile: credentials.providerKey.path,
      password: "",
      trust: .authority(caFiles: [credentials.authority.path])
    )
    target.showsCertificate = certificate
    let key = try ProviderKey.read(credentials.authKey.path)
    let bearer = try key.token(id: credentials.keyID, team: credentials.teamID, issuedAt: apns.clock.now)
    let token = try apns.device("alice").token
    let plan = RequestPlan(count: count) { index in
      var fields = [(name: "apns-topic", value: APNSimulator.topic)]
      if !certificate { fields.append((name: "authorization", value: "bearer \(bearer)")) }
      var request = PushRequest(token: token, fields: fields, body: Array(#"{"aps":{}}"#.utf8))
      change(index, &request)
      return request
    }
    let connection = try await HTTP2Connection.open(target, timeout: .seconds(60))
    #expect(connection.version == "1.3")
    return try await RequestExchange(plan: plan, patience: .seconds(60)).run(over: connection)
  }

  @Test(arguments: [false, true]) func `a token or a certificate is enough`(certificate: Bool) async throws {
    let report = try await run(certificate: certificate, count: 3)
    #expect(report.isSuccess, "\(report.groups)")
    let ids = report.results.map { outcome -> String? in
      guard case .answered(let answer)? = outcome else { return nil }
      return answer.id
    }
    let known = try apns.notifications().map { $0["apnsId"] }
    #expect(ids == known)
    #expect(ids.allSatisfy { $0?.count == 36 })
  }

  @Test func `each refusal has its status and reason`() async throws {
    let report = try await run(count: 5) { index, request in
      switch index {
      case 1: request.fields.removeAll { $0.name == "apns-topic" }
      case 2: request.token = "abc"
      case 3: request.body = [UInt8](repeating: 0x20, count: 5000)
      case 4: request.token = Hex.encode(MagicToken(kind: .uninstalled, code: 0).token())
      default: break
      }
    }
    let answers = report.results.map { outcome in
      guard case .answered(let answer)? = outcome else { return "\(String(describing: outcome))" }
      return "\(answer.status) \(answer.reason ?? "-")"
    }
    #expect(
      answers == [
        "200 -", "400 MissingTopic", "400 BadDeviceToken", "413 PayloadTooLarge", "410 Unregistered",
      ]
    )
    #expect(report.accepted == 1 && report.isAnswered)
    try await apns.wait(for: "status:200", count: .exactly(1), quietFor: .milliseconds(20))
  }
}
