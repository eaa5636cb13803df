import APNSimCore
import APNSimScenario
import APNSimWire

/// The beginning of most files of these tests: two apps' worth of nothing but alice and bob.
let world = """
  devices:
    alice: { token: "\(aliceToken)", apps: [com.example.app] }
    bob: { apps: [com.example.app], online: false }

  """
let aliceToken = String(repeating: "aa", count: 32)

/// Reads a script after `world`; lines of it count from 4.
func script(_ text: String) throws -> ScenarioScript {
  try ScenarioFile.script(world + text, name: "test.yaml")
}

/// The rules that a list of them in YAML gives.
func rules(_ text: String) throws -> [Rule] { try script("rules:\n\(text)").scenario.rules }

/// The only rule of a file that has `text` as its `when`.
func match(_ text: String) throws -> RuleMatch? {
  try rules("- { when: \(text), reply: 8 }").first?.when
}

/// Problems of a text after `world`, with the lines counted from its own first.
func problemsBehindWorld(_ text: String) -> [String] {
  problems(in: world + text).map { problem in
    let place = "\(problem.location.line - 3):\(problem.location.column)"
    return "\(place) \(problem.message)" + (problem.suggestion.map { " → \($0)" } ?? "")
  }
}

/// Runs a text without a network.
func report(_ text: String, seed: UInt64? = nil) throws -> ScenarioReport {
  try ScenarioRunner(try script(text), seed: seed).run()
}
