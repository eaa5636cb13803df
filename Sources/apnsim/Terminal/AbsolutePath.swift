#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The one form of a path that begins at the root and goes through no `.` and `..`.
enum AbsolutePath {
  static func of(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}
