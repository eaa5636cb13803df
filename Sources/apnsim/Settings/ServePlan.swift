import APNSimCore
import APNSimScenario
import APNSimServer
import APNSimState
import Logging

/// Everything that decides how one run of `serve` behaves.
struct ServePlan: Sendable {
  var configuration = Configuration()
  var server = ServerConfiguration()
  var run = RunSettings()
  var scenario = Scenario()
  /// The names of the settings that somebody chose, wherever that was said.
  var said: Set<String> = []
}

extension ServePlan {
  /// Settings that nobody chose become as Apple's service is: its ports, its names, both environments, and every provider's own
  /// key and certificate.
  mutating func standInApplesPlace() {
    if !said.contains("http2Port") { server.listening.http2Port = AppleHost.requestPorts[0] }
    if !said.contains("environment") { server.listening.environment = .both }
    if !said.contains("providerTokens"), server.requests.authKeys.isEmpty {
      server.requests.providerTokens = .any
    }
    let tls = server.tls
    if !said.contains("trust"), tls.clientAuthorityFiles.isEmpty, tls.revocationListFiles.isEmpty {
      server.tls.trust = .any
    }
    let names = AppleHost.all.map(\.name)
    server.tls.serverNames += names.filter { !tls.serverNames.contains($0) }
  }
}

/// The settings of one run of `serve` beside the simulator's and the server's configuration.
struct RunSettings: Sendable, Equatable {
  var config: String?
  var scenario: String?
  /// Nil: a new one each run, which is printed.
  var seed: UInt64?
  /// Nil: the real one.
  var clock: ClockSetting?
  /// The directory of what outlives the process; nil for nothing.
  var state: String?
  var stateSync = StateSync.interval
  /// The bytes of the log after which a snapshot is taken.
  var stateLog = StateOptions().logSize
  var stateMismatch = StateMismatch.refuse
  /// True if secrets stay out of the recording; the file with the key of its pseudonyms, nil for a new key.
  var redacts = false
  var redactKey: String?
  /// True if stdout begins with the endpoints as JSON, and the banner goes to stderr.
  var printsJSON = false
  var logLevel = Logger.Level.info

  /// A seed for a run that is given none.
  static var randomSeed: UInt64 { UInt64(UInt32.random(in: 1...UInt32.max)) }
}
