package import APNSimCore

/// The changes of a replay against the recorded run.
package struct ReplayOptions: Sendable {
  /// Settings of the core instead of the recorded ones.
  package var settings: [SettingAssignment] = []
  /// The situation to start from instead of the recorded one.
  package var scenario: Scenario?
  /// The topic of connections for which the capture has none.
  package var topic = "com.example.app"
  /// The notifications that the simulator keeps, where that is more than the recorded one did; nil for as many.
  package var keep: Int?
  /// The part of the run at whose end the replay stops, from 1: a reset or a new scenario ends one. Nil for all.
  package var lastPart: Int?
  /// True where the replay is for what it leads to: nothing is compared with the recorded journal.
  package var isOnlyShown = false

  package init() {}

  /// True where everything is as it was recorded.
  package var isUnchanged: Bool { settings.isEmpty && scenario == nil }
}

/// The error of a replay that cannot begin.
package struct ReplayFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
}
