import Foundation

/// Finds the scenarios that ship: in the package a build lies in, beside an installed binary, or from where we are.
enum ShippedScenarios {
  private static let folders = ["fixtures/scenarios", "share/apnsim/scenarios"]

  /// What is looked for, for errors.
  static let places = folders.joined(separator: " and ")

  /// The directories that are looked in, and above.
  static func starts() -> [URL] {
    let binary = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments.first ?? "")
    let program = binary.resolvingSymlinksInPath().deletingLastPathComponent().standardizedFileURL
    let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).standardizedFileURL
    return program.path == current.path ? [current] : [program, current]
  }

  static func directory() -> String? {
    for start in starts() {
      var folder = start
      while true {
        for name in folders {
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
