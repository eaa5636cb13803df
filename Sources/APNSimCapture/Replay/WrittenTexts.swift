package import APNSimCore
import APNSimScenario

/// Reads the texts in a kept state: they are written as a journal has them.
package struct WrittenTexts: StateTexts {
  package init() {}

  /// The reason why a text is none of ours.
  private struct Unknown: Error, CustomStringConvertible {
    var description: String
  }

  package func scenario(_ json: [UInt8]) throws -> Scenario {
    try ScenarioFile.parse(written: String(decoding: json, as: UTF8.self), name: "state")
  }

  package func command(_ json: [UInt8]) throws -> Command {
    guard let command = CommandReader.read(json) else {
      let text = String(decoding: json.prefix(80), as: UTF8.self)
      throw Unknown(description: "this program knows no such command: \(text)")
    }
    return command
  }
}
