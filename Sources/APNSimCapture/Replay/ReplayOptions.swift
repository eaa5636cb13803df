package import APNSimCore

/// What a replay is to do otherwise than the run that was recorded.
package struct ReplayOptions: Sendable {
  /// Settings of the core instead of the recorded ones.
  package var settings: [SettingAssignment] = []
  /// The situation to start from instead of the recorded one.
  package var scenario: Scenario?
  /// The topic of connections of which a capture does not say.
  package var topic = "com.example.app"

  package init() {}

  /// Whether everything is as it was recorded.
  package var isUnchanged: Bool { settings.isEmpty && scenario == nil }
}

/// Why a replay cannot begin.
package struct ReplayFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
}
