import APNSimProvider
import APNSimTLS
import APNSimTesting
import APNSimWire
import NIOCore
import Testing

/// The interfaces of a provider.
enum Interface: String, CaseIterable, Sendable {
  case binary
  case http2
}

/// A provider, which takes host, port and credentials from its configuration, as any does.
struct Provider: Sendable {
  /// The answers that came back.
  struct Report {
    /// The status of the error response of the binary interface, and the number from 1 of the notification that it names.
    var error: (status: Int, notification: Int)?
    /// The answers over HTTP/2, in order.
    var answers: [Answer] = []
  }

  /// The answer to a request.
  struct Answer {
    var status: Int
    var reason: String?
    /// In milliseconds since 1970.
    var timestamp: Int64?
  }

  let apns: APNSimulator
  let interface: Interface

  @discardableResult
  func send(_ alert: String, to devices: APNSimulator.Device...) async throws -> Report {
    try await send(payload: #"{"aps":{"alert":"\#(alert)"}}"#, to: devices.map(\.token))
  }

  @discardableResult
  func send(payload: String, to tokens: [String]) async throws -> Report {
    switch interface {
    case .binary: try await frames(Array(payload.utf8), tokens)
    case .http2: try await requests(Array(payload.utf8), tokens)
    }
  }

  private func target(_ port: Int) -> ProviderTarget {
    ProviderTarget(
      host: apns.host,
      port: port,
      certificateFile: apns.credentials.providerCertificate.path,
      keyFile: apns.credentials.providerKey.path,
      password: "",
      trust: .authority(caFiles: [apns.credentials.authority.path])
    )
  }

  private func frames(_ payload: [UInt8], _ tokens: [String]) async throws -> Report {
    let tokens = try tokens.map { try #require(Hex.decode($0)) }
    let plan = NotificationPlan(
      payloads: [payload],
      tokens: tokens,
      count: tokens.count,
      template: NotificationFrame(command: 1, expiry: 0x7FFF_FFFF, token: [], payload: []),
      firstIdentifier: 1
    )
    let connection = try await ProviderConnection.open(target(apns.gatewayPort), timeout: .seconds(30))
    let report = try await SendExchange(plan: plan, patience: .seconds(1)).run(over: connection)
    guard case .answered(let response) = report.ending else {
      #expect(report.ending == .silence)
      return Report()
    }
    return Report(error: (Int(response.status.rawValue), Int(response.identifier.rawValue)))
  }

  private func requests(_ payload: [UInt8], _ tokens: [String]) async throws -> Report {
    let key = try ProviderKey.read(apns.credentials.authKey.path)
    let token = try key.token(
      id: apns.credentials.keyID,
      team: apns.credentials.teamID,
      issuedAt: apns.clock.now
    )
    let plan = RequestPlan(count: tokens.count) { index in
      PushRequest(
        token: tokens[index],
        fields: [("authorization", "bearer \(token)"), ("apns-topic", APNSimulator.topic)],
        body: payload
      )
    }
    var target = target(apns.http2Port)
    target.showsCertificate = false
    let connection = try await HTTP2Connection.open(target, timeout: .seconds(30))
    let report = try await RequestExchange(plan: plan, patience: .seconds(30)).run(over: connection)
    return Report(
      answers: report.results.compactMap { result in
        guard case .answered(let answer)? = result else { return nil }
        return Answer(status: answer.status, reason: answer.reason, timestamp: answer.timestamp)
      }
    )
  }
}
