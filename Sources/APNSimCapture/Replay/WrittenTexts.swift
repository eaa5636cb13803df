package import APNSimCore
import APNSimScenario

/// Reads the texts in a kept state: they are written as a journal has them.
package struct WrittenTexts: StateTexts {
  package init() {}

  package func scenario(_ json: [UInt8]) throws -> Scenario {
    try ScenarioFile.parse(written: String(decoding: json, as: UTF8.self), name: "state")
  }

  package func command(_ json: [UInt8]) throws -> Command {
    try CommandReader.read(json)
  }
}
