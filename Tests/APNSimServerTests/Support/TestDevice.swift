import APNSimServer
import APNSimTLS
import APNSimWire

/// A device in a test, over TLS.
final class TestDevice: Sendable {
  let connection: TestProvider

  private init(_ connection: TestProvider) { self.connection = connection }

  /// Connects with a certificate for a name, or with another one.
  static func connect(
    _ test: TestServer,
    named name: String = "alice",
    as identity: TLSIdentity? = nil,
    tls: (inout TLSClientOptions) -> Void = { _ in }
  ) async throws -> TestDevice {
    let identity = try identity ?? TestPKI.identity(.device(name: name))
    return TestDevice(try await TestProvider.connect(test.endpoints.devicePort ?? 0, as: identity, tls: tls))
  }

  func say(_ line: String) async throws { try await connection.send(Array("\(line)\n".utf8)) }

  /// The next so many lines; fewer when the connection ends before.
  func lines(_ count: Int) async -> [JSONValue] {
    var bytes: [UInt8] = []
    while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
      let more = await connection.read(1)
      if more.isEmpty { break }
      bytes += more
    }
    return Self.values(bytes)
  }

  /// Every line until the end, and whether it was a proper one.
  func linesToEnd() async -> (lines: [JSONValue], sawCloseNotify: Bool) {
    let received = await connection.readToEndAndClose()
    return (Self.values(received.bytes), received.sawCloseNotify)
  }

  /// Says its apps and returns the token of the first one.
  func introduce(_ topics: String...) async throws -> [UInt8] {
    try await say(#"{"apps":[\#(topics.map { "\"\($0)\"" }.joined(separator: ","))]}"#)
    let answer = await lines(1)
    return answer.first?["tokens.0.token"]?.stringValue.flatMap { Hex.decode($0) } ?? []
  }

  private static func values(_ bytes: [UInt8]) -> [JSONValue] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONValue.parse($0) }
  }
}
