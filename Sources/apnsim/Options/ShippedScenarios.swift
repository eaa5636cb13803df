import APNSimScenario
import APNSimSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds the scenarios that ship: in the package a build lies in, beside an installed binary, or from where we are.
enum ShippedScenarios {
  private static let folders = ["fixtures/scenarios", "share/apnsim/scenarios"]

  /// The folders that are searched for, for errors.
  static let places = folders.joined(separator: " and ")

  /// The directories that are looked in, and above.
  static func starts() -> [URL] {
    let program = binary.resolvingSymlinksInPath().deletingLastPathComponent().standardizedFileURL
    let current = URL(fileURLWithPath: (SystemFolder.current ?? ".")).standardizedFileURL
    return program.path == current.path ? [current] : [program, current]
  }

  /// The file of this program.
  private static var binary: URL {
    #if os(Linux)
      URL(fileURLWithPath: "/proc/self/exe")
    #else
      Bundle.main.executableURL ?? URL(fileURLWithPath: ProcessArguments.all.first ?? "")
    #endif
  }

  static func directory() -> String? {
    for start in starts() {
      var folder = start
      while true {
        for name in folders {
          let candidate = folder.appendingPathComponent(name).path
          if SystemPath.isDirectory(candidate) { return candidate }
        }
        guard folder.path != "/", !folder.path.isEmpty else { break }
        folder.deleteLastPathComponent()
      }
    }
    return nil
  }

  /// The file that a command's argument means: itself, or the scenario that ships under this name, which `scenario list`
  /// prints without its folder and ending. A file of that name wins.
  static func file(_ argument: String) -> String {
    let isName =
      !argument.isEmpty && !argument.utf8.contains { [UInt8(ascii: "/"), UInt8(ascii: ".")].contains($0) }
    guard isName, argument != "-", !SystemPath.exists(argument), let directory = directory() else {
      return argument
    }
    let files = endings.map { "\(directory)/\(argument)\($0)" }
    return files.first { SystemPath.exists($0) } ?? argument
  }

  /// The endings of the names of scenario files.
  static let endings = [".yaml", ".yml", ".json"]
}
