/// Reads the texts in kept state: a scenario, a command and a rule are written as the JSON that they are everywhere, and
/// what reads that JSON stands above the core.
package protocol StateTexts: Sendable {
  /// A scenario as ``Scenario/write(to:)`` writes it.
  func scenario(_ json: [UInt8]) throws -> Scenario
  /// A command as ``Command/write(to:)`` writes it.
  func command(_ json: [UInt8]) throws -> Command
}
