import APNSimTestSupport
import APNSimWire
import Foundation

/// The files in `fixtures`, found from where this source file is.
enum Fixture {
  private static let directory = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()
    .appendingPathComponent("fixtures")

  /// The names, without extension, of the files in `folder` that have it.
  static func names(in folder: String, extension suffix: String) throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(
      at: directory.appendingPathComponent(folder),
      includingPropertiesForKeys: nil
    )
    return files.filter { $0.pathExtension == suffix }.map { $0.deletingPathExtension().lastPathComponent }
      .sorted()
  }

  static func data(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: directory.appendingPathComponent(path)))
  }

  /// The bytes of a golden frame.
  static func frame(_ name: String) throws -> [UInt8] {
    try frameRows(name).flatMap(\.bytes)
  }

  /// A golden frame line by line: the bytes and the field's name, empty where the field goes on.
  static func frameRows(_ name: String) throws -> [(bytes: [UInt8], field: String)] {
    let text = String(decoding: try data("frames/\(name).hex"), as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      let bytes = Hex.decode(commented: line) ?? []
      guard !bytes.isEmpty else { return nil }
      let comment = line.split(separator: "#").dropFirst().first?.split(separator: ":").first ?? ""
      return (bytes, comment.trimmingCharacters(in: .whitespaces))
    }
  }
}
