import Foundation

/// Tells customers about their orders: a push provider that leaves HTTP/2 and TLS to curl.
public struct OrderProvider: Sendable {
  /// Where the push service is, and how the provider proves who it is. In production `api.push.apple.com`, 443 and the system's
  /// CAs.
  public struct Configuration: Sendable {
    public var host: String
    public var port: Int
    public var authorityFile: String?
    public var certificateFile: String
    public var keyFile: String
    public var topic: String

    public init(
      host: String = "api.push.apple.com",
      port: Int = 443,
      authorityFile: String? = nil,
      certificateFile: String,
      keyFile: String,
      topic: String
    ) {
      (self.host, self.port, self.authorityFile) = (host, port, authorityFile)
      (self.certificateFile, self.keyFile, self.topic) = (certificateFile, keyFile, topic)
    }
  }

  /// The fate of an announcement.
  public enum Outcome: Equatable, Sendable {
    case sent
    /// The customer no longer has the app: forget the device token, unless the app registers it after this time, in
    /// milliseconds since 1970.
    case unregistered(since: Int64)
    /// After so many attempts.
    case refused(status: Int, reason: String, attempts: Int)
  }

  private let configuration: Configuration

  public init(_ configuration: Configuration) { self.configuration = configuration }

  /// Announces that an order is on its way. What Apple cannot take just now is tried again, twice.
  public func announce(order: Int, to deviceToken: String) async throws -> Outcome {
    let payload = #"{"aps":{"alert":"Your order #\#(order) is on its way"}}"#
    var attempts = 0
    while true {
      attempts += 1
      let answer = try await post(payload, to: deviceToken)
      switch answer.status {
      case 200: return .sent
      case 410: return .unregistered(since: answer.timestamp ?? 0)
      case 429, 500, 503: if attempts < 3 { continue }
      default: break
      }
      return .refused(status: answer.status, reason: answer.reason ?? "", attempts: attempts)
    }
  }

  private struct Answer {
    var status: Int
    var reason: String?
    var timestamp: Int64?
  }

  private struct Body: Decodable {
    var reason: String?
    var timestamp: Int64?
  }

  private func post(_ payload: String, to deviceToken: String) async throws -> Answer {
    var arguments = ["curl", "--silent", "--show-error", "--http2", "--max-time", "30"]
    if let file = configuration.authorityFile { arguments += ["--cacert", file] }
    arguments += ["--cert", configuration.certificateFile, "--key", configuration.keyFile]
    arguments += ["--header", "apns-topic: \(configuration.topic)", "--data", payload]
    arguments += ["--write-out", "\n%{http_code}"]
    arguments.append("https://\(configuration.host):\(configuration.port)/3/device/\(deviceToken)")
    let output = try await run(arguments)
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    guard let status = lines.last.flatMap({ Int($0) }), status > 0 else {
      throw URLError(.cannotConnectToHost)
    }
    let body = try? JSONDecoder().decode(Body.self, from: Data(lines.dropLast().joined().utf8))
    return Answer(status: status, reason: body?.reason, timestamp: body?.timestamp)
  }

  private func run(_ arguments: [String]) async throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in continuation.finish() }
    try process.run()
    for await _ in ended {}
    return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }
}
