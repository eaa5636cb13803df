import APNSimCore
import APNSimScenario

/// Reads a scenario that is to be refused; empty when it is not.
func problems(in text: String, serverSettings: [String] = []) -> [DocumentProblem] {
  do throws(DocumentError) {
    _ = try ScenarioFile.parse(text, name: "test.yaml", serverSettings: serverSettings)
    return []
  } catch {
    return error.problems
  }
}

/// The same as `line:column message` and, after an arrow, the suggestion.
func findings(in text: String, serverSettings: [String] = []) -> [String] {
  problems(in: text, serverSettings: serverSettings).map { problem in
    let place = "\(problem.location.line):\(problem.location.column)"
    return "\(place) \(problem.message)" + (problem.suggestion.map { " → \($0)" } ?? "")
  }
}

let productionApp = AppKey(topic: "com.example.app", environment: .production)
let sandboxApp = AppKey(topic: "com.example.app", environment: .sandbox)
