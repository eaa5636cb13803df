import APNSimScenario
import APNSimSystem
import APNSimTLS

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The certificates of one private simulator: a copy of a set that is made once per user, because making keys takes
/// longer than everything else together. What a test does to them (revoking one) is gone with them.
struct ExecCertificates {
  /// The directory; gone after ``remove()``.
  let path: String

  /// - Throws: `CommandFailure` or `TLSSetupError` when nothing can be written at all.
  static func prepare(environment: [String: String]) throws -> ExecCertificates {
    let path = try makeTemporaryDirectory()
    if let cache = cacheDirectory(environment), (try? PKIDirectory.prepare(cache)) != nil {
      try? copy(from: cache, to: path)
    }
    return ExecCertificates(path: path)
  }

  /// A directory without any, for other files.
  static func empty() throws(CommandFailure) -> ExecCertificates {
    ExecCertificates(path: try makeTemporaryDirectory())
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// `$XDG_CACHE_HOME/apnsim/certs`, or the same in `~/.cache`.
  static func cacheDirectory(_ environment: [String: String]) -> String? {
    if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return cache + "/apnsim/certs" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.cache/apnsim/certs"
  }

  private static func makeTemporaryDirectory() throws(CommandFailure) -> String {
    do throws(SystemError) {
      return try SystemFolder.makeTemporary("apnsim-exec")
    } catch {
      throw CommandFailure(
        .cannotWrite,
        "cannot make a directory in \(SystemFolder.temporary): \(error.text)"
      )
    }
  }

  /// The files themselves; not the lock, nor what another process is writing just now.
  private static func copy(from cache: String, to path: String) throws {
    for name in try SystemFolder.names(in: cache)
    where !name.hasPrefix(".") && !name.contains(".new-") {
      try FileManager.default.copyItem(atPath: "\(cache)/\(name)", toPath: "\(path)/\(name)")
    }
  }
}
