import APNSimCore
import APNSimScenario

/// A scenario file is refused in few words or can be played, and plays the same twice.
enum ScenarioProperty {
  /// Longer ones only cost time.
  private static let limit = 16_384
  /// The most bytes of a refusal in all.
  private static let refusalLimit = 65_536

  static func violation(_ input: [UInt8]) -> String? {
    let text = String(decoding: input.prefix(limit), as: UTF8.self)
    let script: ScenarioScript
    do throws(DocumentError) {
      script = try ScenarioFile.script(text, name: "fuzzed")
    } catch {
      let length = error.description.utf8.count
      guard length <= refusalLimit else { return "a refusal of \(length) bytes" }
      return error.problems.isEmpty ? "refused without a reason" : nil
    }
    guard let first = play(script) else { return nil }
    return first == play(script) ? nil : "played twice, the reports differ"
  }

  private static func play(_ script: ScenarioScript) -> String? {
    guard let runner = try? ScenarioRunner(script) else { return nil }
    let report = runner.run()
    return "\(report.outcomes) \(report.connections) \(report.failures) \(report.end)"
  }
}
