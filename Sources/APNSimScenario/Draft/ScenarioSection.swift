/// One top-level key of a scenario file and how its value is read.
protocol ScenarioSection: Sendable {
  static var key: String { get }
  /// Adds what the value says to the draft, and what is wrong with it to the value's problems.
  static func read(_ value: Value, into draft: inout ScenarioDraft)
}
