import APNSimCore
import APNSimScenario
import APNSimServer
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

/// The settings of one run of `serve` beside the simulator's and the server's configuration.
struct RunSettings: Sendable, Equatable {
  var config: String?
  var scenario: String?
  /// Nil: a new one each run, which is printed.
  var seed: UInt64?
  /// Nil: the real one.
  var clock: ClockSetting?
  /// True if secrets stay out of the recording; the file with the key of its pseudonyms, nil for a new key.
  var redacts = false
  var redactKey: String?
  /// True if stdout begins with the endpoints as JSON, and the banner goes to stderr.
  var printsJSON = false
  var logLevel = Logger.Level.info
}
