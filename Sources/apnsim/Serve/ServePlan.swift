import APNSimCore
import APNSimServer

/// Everything that decides how one run of `serve` behaves.
struct ServePlan: Sendable {
  var configuration = Configuration()
  var server = ServerConfiguration()
  var run = RunSettings()
  var scenario = Scenario()
  /// The names of the settings that somebody chose, wherever that was said.
  var said: Set<String> = []
}
