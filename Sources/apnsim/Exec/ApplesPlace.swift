import APNSimScenario
import APNSimServer
import APNSimSystem
import APNSimTLS

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files that a command sees in the place of the system's, so that Apple's names are the simulator and its
/// certificate is trusted.
struct ApplesPlace {
  /// A file or directory, and what is seen in its place.
  struct Overlay: Equatable {
    var source: String
    var target: String
  }

  private(set) var overlays: [Overlay] = []
  /// The variables by which runtimes that do not read the system's CAs find them.
  private(set) var variables: [String: String] = [:]

  /// - Parameters:
  ///   - address: of the simulator.
  ///   - authority: the file of its CA.
  ///   - directory: where the files are made.
  ///   - environment: of the command, whose own settings of CAs and Java are kept.
  init(address: String, authority: String, in directory: String, environment: [String: String]) throws {
    let files = try Files(directory + "/as-apple")
    try layOverHosts(address, files)
    let present = TrustBundle.systemFiles.filter { SystemPath.exists($0) }
    let given = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    let bundle = try TrustBundle(system: given ?? present.first, adding: authority)
    let file = try files.make("ca-certificates.crt", bundle.pem)
    let store = try files.make(Self.javaStore, bundle.javaKeyStore)
    let isLaid = SystemPath.isDirectory(Self.systemDirectory)
    if isLaid { try layOverDirectory(bundle, files) }
    overlays += present.filter { !isLaid || !$0.hasPrefix(Self.systemDirectory + "/") }
      .map { Overlay(source: file, target: $0) }
    // A command that changes its user can read the system's directory, and not ours.
    setVariables(
      present.first ?? file,
      isLaid ? "\(Self.systemDirectory)/\(Self.javaStore)" : store,
      environment
    )
  }

  /// Files that are made in a directory of ours.
  private struct Files {
    let directory: String

    init(_ directory: String) throws {
      self.directory = directory
      try SystemFolder.make(directory, mode: 0o755, modeAbove: 0o755)
    }

    /// Makes a file, in the place of a link too.
    /// - Returns: its path.
    @discardableResult
    func make(_ name: String, _ bytes: [UInt8]) throws -> String {
      let path = "\(directory)/\(name)"
      try SystemPath.remove(path)
      try FileReplacement.write(bytes, to: path, mode: 0o644)
      return path
    }

    /// Makes a directory that has what another one has: links as they are, files and directories by their content.
    func copy(_ folder: String, as name: String) throws -> Files {
      let copy = try Files("\(directory)/\(name)")
      for name in try SystemFolder.names(in: folder) {
        let path = "\(folder)/\(name)"
        if let target = SystemPath.target(ofLink: path) {
          try FileManager.default.createSymbolicLink(
            atPath: "\(copy.directory)/\(name)",
            withDestinationPath: target
          )
        } else if SystemPath.isDirectory(path) {
          _ = try copy.copy(path, as: name)
        } else if let bytes = try? SystemPath.bytes(of: path, upTo: Self.limit) {
          try copy.make(name, bytes)
        }
      }
      return copy
    }

    /// The most bytes of a file; Java's store of all CAs has 200 KB.
    static let limit = 1 << 24
  }

  private static let hostsFile = "/etc/hosts"
  private static let switchFile = "/etc/nsswitch.conf"
  private static let cacheDirectory = "/run/nscd"
  private static let systemDirectory = "/etc/ssl/certs"
  private static let javaStore = "apnsim.jks"

  /// Names are looked for in the file of hosts first, by the command itself: a service of the system would go by its own.
  private mutating func layOverHosts(_ address: String, _ files: Files) throws {
    func text(_ path: String) -> String? {
      (try? SystemPath.bytes(of: path, upTo: Files.limit)).map { String(decoding: $0, as: UTF8.self) }
    }
    func layOver(_ target: String, _ name: String, _ text: String) throws {
      overlays.append(Overlay(source: try files.make(name, Array(text.utf8)), target: target))
    }
    try layOver(Self.hostsFile, "hosts", Self.hosts(text(Self.hostsFile) ?? "", address))
    if let order = text(Self.switchFile) {
      try layOver(Self.switchFile, "nsswitch.conf", Self.switchOrder(order))
    }
    if SystemPath.isDirectory(Self.cacheDirectory) {
      let empty = try Files(files.directory + "/nscd").directory
      overlays.append(Overlay(source: empty, target: Self.cacheDirectory))
    }
  }

  /// The file of hosts with Apple's names first: the first line with a name counts.
  static func hosts(_ present: String, _ address: String) -> String {
    "\(address) " + AppleHost.all.map(\.name).joined(separator: " ") + "\n" + present
  }

  /// The order of sources of names, with files and DNS alone for hosts.
  static func switchOrder(_ present: String) -> String {
    let lines = present.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { $0.hasPrefix("hosts:") ? "hosts: files dns" : String($0) }.joined(separator: "\n")
  }

  /// OpenSSL's directory of CAs, as it is and with ours, and with stores for Java.
  private mutating func layOverDirectory(_ bundle: TrustBundle, _ files: Files) throws {
    let copy = try files.copy(Self.systemDirectory, as: "certs")
    let prefix = Self.systemDirectory + "/"
    for path in TrustBundle.systemFiles where path.hasPrefix(prefix) && SystemPath.exists(path) {
      try copy.make(String(path.dropFirst(prefix.count)), bundle.pem)
    }
    if SystemPath.exists(prefix + "java/cacerts") { try copy.make("java/cacerts", bundle.javaKeyStore) }
    try copy.make(Self.javaStore, bundle.javaKeyStore)
    let taken = Set(try SystemFolder.names(in: copy.directory))
    let name = (0...taken.count).lazy.map { "\(bundle.directoryName).\($0)" }.first { !taken.contains($0) }
    if let name { try copy.make(name, bundle.authority) }
    overlays.append(Overlay(source: copy.directory, target: Self.systemDirectory))
  }

  private mutating func setVariables(_ bundle: String, _ store: String, _ environment: [String: String]) {
    for name in ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"] {
      variables[name] = bundle
    }
    let java =
      "-Djavax.net.ssl.trustStore=\(store) -Djavax.net.ssl.trustStoreType=JKS "
      + "-Djavax.net.ssl.trustStorePassword=\(TrustBundle.javaPassword)"
    let given = environment["JAVA_TOOL_OPTIONS"].map { $0.isEmpty ? "" : $0 + " " } ?? ""
    variables["JAVA_TOOL_OPTIONS"] = given + java
  }
}
