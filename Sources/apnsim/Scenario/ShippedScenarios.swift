import Foundation

/// Finds the scenarios that ship: in the package a build lies in, beside an installed binary, or from where we are.
enum ShippedScenarios {
  private static let place = "fixtures/scenarios"
  private static let installed = "share/apnsim/scenarios"

  static func directory(
    executable: String = CommandLine.arguments.first ?? "",
    current: String = FileManager.default.currentDirectoryPath
  ) -> String? {
    let binary = Bundle.main.executableURL ?? URL(fileURLWithPath: executable)
    let starts = [
      binary.resolvingSymlinksInPath().deletingLastPathComponent(), URL(fileURLWithPath: current),
    ]
    for start in starts {
      var folder = start.standardizedFileURL
      while true {
        for name in [place, installed] {
          let candidate = folder.appendingPathComponent(name).path
          var isDirectory: ObjCBool = false
          if FileManager.default.fileExists(atPath: candidate, isDirectory: &isDirectory),
            isDirectory.boolValue
          {
            return candidate
          }
        }
        guard folder.path != "/", !folder.path.isEmpty else { break }
        folder.deleteLastPathComponent()
      }
    }
    return nil
  }
}
