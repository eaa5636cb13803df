package import APNSimCore

/// The beginning of a simulator. One that is restored is given the same again, and has begun when its state says.
package struct StateBeginning: Sendable {
  package var configuration: Configuration
  package var scenario: Scenario
  package var seed: UInt64
  package var start: Timestamp
  package var tokenIssuer: (any TokenIssuing)?

  package init(
    configuration: Configuration,
    scenario: Scenario,
    seed: UInt64,
    start: Timestamp,
    tokenIssuer: (any TokenIssuing)? = nil
  ) {
    (self.configuration, self.scenario, self.seed) = (configuration, scenario, seed)
    (self.start, self.tokenIssuer) = (start, tokenIssuer)
  }
}
