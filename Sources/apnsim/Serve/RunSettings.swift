import APNSimCore
import APNSimScenario
import Logging

/// What one run of `serve` is told beside the simulator's and the server's configuration.
struct RunSettings: Sendable, Equatable {
  var config: String?
  var scenario: String?
  /// Nil: a new one each run, which is printed.
  var seed: UInt64?
  /// Nil: the real one.
  var clock: ClockSetting?
  /// Whether what is secret stays out of the recording, and the key of its pseudonyms; nil is a new one.
  var redacts = false
  var redactKey: String?
  /// Whether stdout begins with the endpoints as JSON, and the banner goes to stderr.
  var printsJSON = false
  var logLevel = Logger.Level.info
}
