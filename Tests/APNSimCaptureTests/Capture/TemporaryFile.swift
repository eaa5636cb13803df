import APNSimTestSupport

/// A file that is there as long as this is.
final class TemporaryFile {
  private let directory: TemporaryDirectory
  let path: String

  init(_ bytes: [UInt8]) throws {
    directory = try TemporaryDirectory()
    path = try directory.write("capture", bytes)
  }
}
