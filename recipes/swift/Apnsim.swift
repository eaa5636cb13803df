import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A push service for a test: where it is, and what can be asked of it.
///
///     @Suite(.apnsim) struct Orders {
///       let apnsim: Apnsim
///       init() throws { apnsim = try #require(Apnsim.current) }
///
///       @Test func `an order is announced`() async throws {
///         let token = try await apnsim.device("alice")
///         try await myProvider.notify(token, port: apnsim.endpoints.http2, ca: apnsim.endpoints.ca)
///         try await apnsim.wait(#"device:alice alert~"order""#)
///       }
///     }
///
/// Copy this file; it needs nothing but Foundation. `APNSIM_BIN` says where the program is; otherwise it is looked for on
/// the PATH.
struct Apnsim: Sendable {
  /// The endpoints of a simulator, and its certificates.
  struct Endpoints: Decodable, Sendable {
    var host: String
    var gateway: Int
    var http2: Int
    var ca: String
    var authKey: String
    var keyId: String
    var teamId: String
    var providerCertificate: String
    var providerKey: String
    fileprivate var base: String
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// The topic of the provider's certificate.
  static let topic = "com.example.app"
  static let program = ProcessInfo.processInfo.environment["APNSIM_BIN"] ?? "apnsim"

  /// The simulator of the running test, in a suite with the trait `.apnsim`.
  @TaskLocal static var current: Apnsim?

  let endpoints: Endpoints

  /// Makes a sandbox: ports, devices and a journal that no other test sees.
  fileprivate static func make() async throws -> Apnsim {
    let data = try await request("POST", "/api/v1/sandboxes")
    return Apnsim(endpoints: try JSONDecoder().decode(Endpoints.self, from: data))
  }

  /// Adds a device with the app, and returns the device token of the app.
  func device(_ name: String, online: Bool = true) async throws -> String {
    let body: [String: any Sendable] = ["online": online, "apps": [["topic": Self.topic]]]
    let device = try await api("PUT", path(of: name), body)
    guard let token = (device["apps"] as? [[String: Any]])?.first?["token"] as? String else {
      throw Failure(description: "no token: \(device)")
    }
    return token
  }

  /// The alerts that a device has shown, oldest first.
  func alerts(of name: String) async throws -> [String] {
    let inbox = try await api("GET", path(of: name) + "/inbox")["notifications"] as? [[String: Any]] ?? []
    return inbox.compactMap { notification in
      let aps = (notification["payload"] as? [String: Any])?["aps"] as? [String: Any]
      return aps?["alert"] as? String
    }
  }

  /// The path of a device, whatever is in its name.
  private func path(of device: String) throws -> String {
    let plain = CharacterSet.urlPathAllowed.subtracting(["/"])
    guard let segment = device.addingPercentEncoding(withAllowedCharacters: plain) else {
      throw Failure(description: "no name of a device: \(device)")
    }
    return "/devices/\(segment)"
  }

  /// Returns once so many notifications have matched.
  /// - Throws: what came nearest, when they do not come in time.
  func wait(_ query: String, count: Int = 1, timeout: String = "5s") async throws {
    struct Answer: Decodable {
      struct Miss: Decodable {
        struct Difference: Decodable {
          var path, expected, found: String
        }
        var id: String
        var differences: [Difference]
      }
      var satisfied: Bool
      var expected, waited: String
      var matched: Int
      var nearMisses: [Miss]
    }
    let data = try await Self.request(
      "POST",
      endpoints.base + "/notifications/wait",
      ["query": query, "count": ["atLeast": count], "timeout": timeout]
    )
    let answer = try JSONDecoder().decode(Answer.self, from: data)
    guard !answer.satisfied else { return }
    let misses = answer.nearMisses.flatMap { miss in
      miss.differences.map { "  \(miss.id) \($0.path): expected \($0.expected), found \($0.found)" }
    }
    let heading = "\(answer.expected) of \(query): \(answer.matched) within \(answer.waited); nearest:"
    throw Failure(
      description: ([heading] + (misses.isEmpty ? ["  nothing"] : misses)).joined(separator: "\n")
    )
  }

  /// Everything that happened, one JSON object a line: `apnsim inspect` shows it as a page.
  func journal() async throws -> String {
    String(decoding: try await Self.request("GET", endpoints.base + "/capture"), as: UTF8.self)
  }

  /// One request to the control API; the JSON of its answer.
  @discardableResult
  func api(_ method: String, _ path: String, _ body: [String: any Sendable]? = nil) async throws -> [String:
    Any]
  {
    let data = try await Self.request(method, endpoints.base + path, body)
    return data.isEmpty ? [:] : try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  private static func request(
    _ method: String,
    _ path: String,
    _ body: [String: any Sendable]? = nil
  ) async throws -> Data {
    guard let url = URL(string: try await simulator.value.control + path) else {
      throw Failure(description: "no path: \(path)")
    }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try body.map { try JSONSerialization.data(withJSONObject: $0) }
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard (200..<300).contains(status) else {
      throw Failure(description: "\(method) \(path): \(String(decoding: data, as: UTF8.self))")
    }
    return data
  }

  /// The simulator that all tests share, started when the first one needs it.
  private static let simulator = Task { try await Simulator() }

  /// The process. `cat` ends when its input does, and with it the simulator: it does not outlive the tests.
  private final class Simulator: Sendable {
    let control: String
    private let process = Process()
    private let input = Pipe()

    init() async throws {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        Apnsim.program, "exec", "--log-level", "error", "--",
        "sh", "-c", #"echo "$APNSIM_CONTROL_URL"; exec cat"#,
      ]
      process.standardInput = input
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let reader = output.fileHandleForReading
      let line = await withCheckedContinuation { continuation in
        // It is written once every listener is bound.
        DispatchQueue.global().async { continuation.resume(returning: reader.availableData) }
      }
      guard !line.isEmpty else { throw Failure(description: "\(Apnsim.program) did not start") }
      control = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }
}

/// Gives each test of a suite a simulator of its own, whose journal is attached to a test that fails
/// (`swift test --attachments-path`).
struct ApnsimTrait: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    let apnsim = try await Apnsim.make()
    let hasFailed = Mutex(false)
    let watch = IssueHandlingTrait.filterIssues { issue in
      if Self.isFailure(issue) { hasFailed.withLock { $0 = true } }
      return true
    }
    var thrown: (any Error)?
    do {
      try await watch.provideScope(for: test, testCase: testCase) {
        try await Apnsim.$current.withValue(apnsim) { try await function() }
      }
    } catch {
      thrown = error
    }
    // In a task of its own: that of a test whose time is over is cancelled, and every request that it makes fails.
    let isFailure = thrown != nil || hasFailed.withLock { $0 }
    let end = Task {
      if isFailure, let journal = try? await apnsim.journal() {
        Attachment.record(journal, named: "journal.jsonl")
      }
      _ = try await apnsim.api("DELETE", "")
    }
    let removal = await end.result
    if let thrown { throw thrown }
    try removal.get()
  }

  /// A known issue is no failure. Swift before 6.3 does not say which issue is one.
  private static func isFailure(_ issue: Issue) -> Bool {
    #if compiler(>=6.3)
      issue.isFailure
    #else
      true
    #endif
  }
}

extension Trait where Self == ApnsimTrait {
  static var apnsim: Self { Self() }
}
