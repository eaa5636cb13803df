import Foundation

/// The captures that ship.
enum Captures {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("fixtures/captures")

  static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
