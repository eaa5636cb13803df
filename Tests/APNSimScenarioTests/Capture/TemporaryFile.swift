import Foundation

/// A folder that is there as long as this is.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "apnsim-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A file that is there as long as this is.
final class TemporaryFile {
  private let folder: TemporaryFolder
  var path: String { folder.path + "/capture" }

  init(_ bytes: [UInt8]) throws {
    folder = try TemporaryFolder()
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }
}
