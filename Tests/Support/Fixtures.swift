package import Foundation

/// The repository's fixtures, whatever directory the tests run in.
package enum Fixtures {
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("fixtures")

  /// The scenarios that ship, by name.
  package static let scenarios: [URL] =
    ((try? FileManager.default.contentsOfDirectory(
      at: root.appendingPathComponent("scenarios"),
      includingPropertiesForKeys: nil
    )) ?? []).filter { $0.pathExtension == "yaml" }.sorted { $0.lastPathComponent < $1.lastPathComponent }

  package static func data(_ path: String) throws -> Data {
    try Data(contentsOf: root.appendingPathComponent(path))
  }
}
