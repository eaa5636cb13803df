import APNSimScenario
import APNSimTLS

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
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

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// `$XDG_CACHE_HOME/apnsim/certs`, or the same in `~/.cache`.
  static func cacheDirectory(_ environment: [String: String]) -> String? {
    if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return cache + "/apnsim/certs" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.cache/apnsim/certs"
  }

  private static func makeTemporaryDirectory() throws(CommandFailure) -> String {
    let place = SystemFile.temporaryDirectory
    var bytes = Array("\(place)/apnsim-exec-XXXXXX".utf8CString)
    guard mkdtemp(&bytes) != nil else {
      let reason = SystemError.last
      throw CommandFailure(.cannotWrite, "cannot make a directory in \(place): \(reason)")
    }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The files themselves; not the lock, nor what another process is writing just now.
  private static func copy(from cache: String, to path: String) throws {
    for name in try SystemFile.names(in: cache)
    where !name.hasPrefix(".") && !name.contains(".new-") {
      try FileManager.default.copyItem(atPath: "\(cache)/\(name)", toPath: "\(path)/\(name)")
    }
  }
}
