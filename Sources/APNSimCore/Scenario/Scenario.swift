/// A situation to start from, as a value: what a scenario file says and what a capture's header implies.
///
/// The scenario room turns files into this and names line and column where it cannot; the core only applies it.
public struct Scenario: Hashable, Sendable {
  public var name = ""
  /// Seeds all randomness; nil leaves the choice to whoever starts the simulator.
  public var seed: UInt64?
  /// Nil is the real one; a scenario that comes over the control API then has the clock that the process began with.
  public var clock: ClockSetting?
  /// Settings in the order they were written: `Setting.name` and text.
  public var settings: [SettingAssignment] = []
  /// Apps that exist before any provider connects.
  public var apps: [AppKey] = []
  /// What the apps bring along for showing notifications: strings, sounds, images.
  package var bundles: [AppKey: AppBundle] = [:]
  public var devices: [DeviceSpecification] = []
  public var feedback: [FeedbackSpecification] = []
  package var rules: [Rule] = []
  /// What happens, and what is looked at, as simulated time passes.
  package var timeline: [TimelineEntry] = []
  /// What must be so in the end.
  package var expectations: [Expectation] = []
  /// The state the rules start in; empty is none.
  package var state = ""

  public init() {}
}

/// One `key: value` of a scenario's `settings`.
public struct SettingAssignment: Hashable, Sendable {
  public var name: String
  public var text: String

  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}
