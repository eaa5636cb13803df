import APNSimSystem
import COpenSSL

/// The CAs that a program trusts: the system's and one more, in the forms that programs read.
package struct TrustBundle {
  /// PEM: the system's file as it is, and the further CA after it.
  package let pem: [UInt8]
  /// PEM: the further CA alone.
  package let authority: [UInt8]
  /// The certificates of the bundle, the further CA last.
  private let certificates: [X509Certificate]

  /// The files in which systems keep their CAs: Debian, Alpine and Arch; Fedora and its kin; Alpine and the BSDs.
  package static let systemFiles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
  ]

  /// - Parameters:
  ///   - system: a file of CAs; nil where there is none.
  ///   - authority: the PEM file of the further one.
  /// - Throws: where the further CA cannot be read. A system's file that cannot be is left out.
  package init(system: String?, adding authority: String) throws(TLSSetupError) {
    let own = try PEMFile.certificates(authority)
    let file = system.flatMap { try? SetupFile.read($0) } ?? []
    let others = system.flatMap { try? PEMFile.certificates($0) } ?? []
    self.authority = try SetupFile.read(authority)
    pem = file + (file.isEmpty || file.last == 0x0A ? [] : [0x0A]) + self.authority
    certificates = others + own
  }

  /// The name under which OpenSSL looks for the further CA in a directory, without its number: eight digits of the
  /// subject's hash.
  package var directoryName: String {
    let digits = String(X509_subject_name_hash(certificates[certificates.count - 1].pointer), radix: 16)
    return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
  }

  /// The password of ``javaKeyStore``, Java's own default.
  package static let javaPassword = "changeit"

  /// A key store of Java's own kind (JKS), which every Java reads:
  ///
  /// ```
  /// FE ED FE ED | version u32 = 2 | count u32
  /// each: 2 u32 | alias | time i64 in ms | "X.509" | length u32 | DER     (texts: length u16 | bytes)
  /// SHA-1 of the password in UTF-16, "Mighty Aphrodite" and all of the above
  /// ```
  package var javaKeyStore: [UInt8] {
    var store: [UInt8] = [0xFE, 0xED, 0xFE, 0xED]
    store.append(2, as: UInt32.self)
    store.append(certificates.count, as: UInt32.self)
    for (index, certificate) in certificates.enumerated() {
      let der = certificate.der
      store.append(2, as: UInt32.self)
      store.appendText(index == certificates.count - 1 ? "apnsim" : "system-\(index)")
      store.append(0, as: UInt64.self)
      store.appendText("X.509")
      store.append(der.count, as: UInt32.self)
      store += der
    }
    let password = Self.javaPassword.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    return store + Self.sha1(password + Array("Mighty Aphrodite".utf8) + store)
  }

  private static func sha1(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 20)
    EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha1(), nil)
    return digest
  }
}

extension [UInt8] {
  /// Appends a number in big-endian order.
  fileprivate mutating func append<Number: FixedWidthInteger>(_ value: Int, as type: Number.Type) {
    Swift.withUnsafeBytes(of: Number(value).bigEndian) { self += $0 }
  }

  /// Appends `length u16 | bytes`.
  fileprivate mutating func appendText(_ text: String) {
    append(text.utf8.count, as: UInt16.self)
    self += text.utf8
  }
}
