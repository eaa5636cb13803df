import APNSimCore
import APNSimServer
import APNSimTLS
import Testing

@Suite struct `Server settings` {
  @Test(arguments: ServerSetting.all.map(\.name))
  func `a setting reads back what was written`(name: String) throws {
    let setting = try #require(ServerSetting.named(name))
    var configuration = ServerConfiguration()
    let before = setting.text(in: configuration)
    try setting.apply(before, to: &configuration)
    #expect(configuration == ServerConfiguration())
    #expect(throws: SettingFailure.self) { try setting.apply("", to: &configuration) }
  }

  @Test(arguments: [
    ("host", "0.0.0.0"), ("gatewayPort", "0"), ("environment", "both"), ("ephemeral", "on"),
    ("tlsMax", "1.3"), ("trust", "any"), ("clientCa", "a.pem,b.pem"), ("readDelay", "0"),
    ("readDelay", "250us"), ("linger", "1s500ms"), ("idleTimeout", "2h"), ("loops", "2"), ("loops", "auto"),
    ("record", "journal.jsonl"), ("maxConnections", "5"),
  ])
  func `the values of server settings survive`(name: String, text: String) throws {
    var configuration = ServerConfiguration()
    try #require(ServerSetting.named(name)).apply(text, to: &configuration)
    #expect(ServerSetting.named(name)?.text(in: configuration) == text)
  }

  @Test(arguments: [
    ("gatewayPort", "70000"), ("gatewayPort", "-1"), ("tlsMin", "0.9"), ("environment", "test"),
    ("readDelay", "soon"), ("readDelay", "-1ms"), ("linger", "2"), ("loops", "0"), ("ephemeral", "maybe"),
    ("clientCa", "a.pem,,b.pem"),
  ])
  func `a value that does not fit says what would`(name: String, text: String) throws {
    var configuration = ServerConfiguration()
    let setting = try #require(ServerSetting.named(name))
    let error = #expect(throws: SettingFailure.self) { try setting.apply(text, to: &configuration) }
    #expect(error?.description == "\(name): expected \(setting.values), found \"\(text)\"")
    #expect(configuration == ServerConfiguration())
  }

  @Test func `the defaults are the documented ones`() throws {
    let configuration = ServerConfiguration()
    try configuration.validate()
    func text(_ name: String) -> String? { ServerSetting.named(name)?.text(in: configuration) }
    #expect(text("host") == "loopback" && text("gatewayPort") == "2195" && text("feedbackPort") == "2196")
    #expect(text("sandboxGatewayPort") == "2295" && text("sandboxFeedbackPort") == "2296")
    #expect(text("tlsMin") == "1.0" && text("tlsMax") == "1.2" && text("trust") == "ca")
    #expect(text("readDelay") == "100us" && text("idleTimeout") == "2h" && text("linger") == "2s")
    #expect(text("handshakeTimeout") == "10s" && text("maxConnections") == "20000")
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.9.8.7", true), ("LOCALHOST", true), ("::1", true), ("127.evil.example", false),
    ("127.0.0.1.example.com", false), ("10.0.0.1", false), ("localhost.example.com", false),
  ])
  func `a name is this machine's own by its form`(name: String, isLoopback: Bool) {
    #expect(ServerConfiguration.Listening.isLoopback(name) == isLoopback)
  }

  @Test func `what does not fit together is all named at once`() throws {
    var configuration = ServerConfiguration()
    configuration.listening.feedbackPort = 2195
    configuration.tls.minimum = .v1_3
    configuration.timing.feedbackPause = .milliseconds(10)
    let error = #expect(throws: ServerConfigurationError.self) { try configuration.validate() }
    #expect(error?.problems.count == 3)
    #expect(error?.description.contains("feedbackPort: port 2195 is already used by gatewayPort") == true)
  }

  @Test(arguments: [
    ("readDelay", "2s", "0 to 1s"), ("linger", "30000d", "1ms to 365d"), ("linger", "0", "1ms to 365d"),
    ("idleTimeout", "366d", "1ms to 365d"), ("handshakeTimeout", "106751991167d", "1ms to 365d"),
    ("feedbackPause", "366d", "50ms to 365d (with less, clients lose the last tuple)"),
    ("drain", "365d1ms", "0 to 365d"),
  ])
  func `a time out of its range is refused`(name: String, text: String, expected: String) throws {
    var configuration = ServerConfiguration()
    let setting = try #require(ServerSetting.named(name))
    let error = #expect(throws: SettingFailure.self) { try setting.apply(text, to: &configuration) }
    #expect(error?.description == "\(name): expected a duration from \(expected), found \"\(text)\"")
  }

  @Test func `a value made in code is held to what its setting takes`() throws {
    var configuration = ServerConfiguration()
    configuration.timing.linger = .seconds(366 * 86_400)
    configuration.capacity.loops = 0
    configuration.listening.gatewayPort = 65_536
    configuration.control.token = ""
    configuration.timing.silence = .milliseconds(-1)
    let error = #expect(throws: ServerConfigurationError.self) { try configuration.validate() }
    let names = error?.problems.map { String($0.prefix { $0 != ":" }) }
    #expect(names == ["gatewayPort", "controlToken", "linger", "loops", "silence"])
    #expect(error?.problems[2] == "linger: expected a duration from 1ms to 365d, found \"366d\"")
  }

  @Test func `ephemeral listeners cannot collide`() throws {
    var configuration = ServerConfiguration()
    configuration.listening.feedbackPort = 2195
    configuration.listening.ephemeral = true
    try configuration.validate()
  }
}
