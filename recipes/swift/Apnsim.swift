import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A push service for a test: apnsim on free ports, and what can be asked of it. Copy this file; it needs nothing but
/// Foundation. `APNSIM_BIN` says where the program is; otherwise it is looked for on the PATH.
final class Apnsim: Sendable {
  /// Where it is and with which certificates.
  struct Endpoints: Decodable, Sendable {
    var host: String
    var gateway: Int
    var feedback: Int
    var control: String
    var ca: String
    var providerCertificate: String
    var providerKey: String
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  let endpoints: Endpoints
  private let process: Process

  /// Starts one, and returns once it listens.
  /// - Parameter certificates: a directory; what is there already is used again.
  init(certificates: URL) async throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      Self.program, "serve", "--ephemeral", "--print", "json", "--certs", certificates.path,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let reader = output.fileHandleForReading
    let line = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: reader.availableData) }
    }
    endpoints = try JSONDecoder().decode(Endpoints.self, from: line)
  }

  deinit { process.terminate() }

  static var program: String { ProcessInfo.processInfo.environment["APNSIM_BIN"] ?? "apnsim" }

  /// One request to the control API; the JSON of its answer.
  @discardableResult
  func api(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> [String: Any] {
    guard let url = URL(string: "\(endpoints.control)/api/v1\(path)") else {
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
    return data.isEmpty ? [:] : try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  /// Returns once so many notifications have matched.
  /// - Throws: what came nearest, when they do not come in time.
  func wait(_ query: String, count: Int = 1, timeout: String = "5s") async throws {
    let answer = try await api(
      "POST",
      "/notifications/wait",
      ["query": query, "count": ["atLeast": count], "timeout": timeout]
    )
    guard answer["satisfied"] as? Bool == true else {
      throw Failure(
        description: "expected \(count) of \(query), found \(answer["matched"] ?? "?"); "
          + "nearest: \(answer["nearMisses"] ?? "none")"
      )
    }
  }

  /// Makes a device with an app, and returns the token that it gets.
  func device(_ name: String, app: String) async throws -> String {
    let device = try await api("PUT", "/devices/\(name)", ["apps": [["topic": app]]])
    let apps = device["apps"] as? [[String: Any]]
    guard let token = apps?.first?["token"] as? String else {
      throw Failure(description: "no token: \(device)")
    }
    return token
  }

  /// The texts that a device has shown, oldest first.
  func alerts(of name: String) async throws -> [String] {
    let inbox = try await api("GET", "/devices/\(name)/inbox")["notifications"] as? [[String: Any]] ?? []
    return inbox.compactMap { notification in
      let aps = (notification["payload"] as? [String: Any])?["aps"] as? [String: Any]
      return aps?["alert"] as? String
    }
  }
}
