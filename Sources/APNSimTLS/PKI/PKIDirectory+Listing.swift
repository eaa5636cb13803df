import APNSimSystem
import COpenSSL

extension PKIDirectory {
  /// One certificate of the directory.
  package struct Record: Sendable, Hashable {
    package enum Role: String, Sendable, Hashable { case authority, server, provider, device, other }

    /// The name of its file in the directory; `nil` when it is only on the revocation list.
    package var name: String?
    package var role: Role
    /// The certificate; `nil` like `name`.
    package var certificate: PeerCertificate?
    package var serial: String
    package var isRevoked: Bool
    /// True if the present CA signed it.
    package var isOfThisAuthority: Bool
    /// True if its key is in the directory as well.
    package var hasKey: Bool
  }

  /// The certificates in the directory by file name, the CA first, then revoked ones whose files are gone.
  package func list() throws(TLSSetupError) -> [Record] {
    guard let authority = try PEMFile.certificates(caFile).first else { return [] }
    let revoked = try currentRevocationList(authority)?.serials ?? []
    var records: [Record] = []
    var seen: Set<String> = []
    let names = SetupFile.names(in: path).filter {
      $0.hasSuffix(".pem") && $0 != "crl.pem" && !$0.hasSuffix(Files.combinedSuffix)
    }
    for name in ["ca.pem"] + names.filter({ $0 != "ca.pem" }) {
      guard let certificate = try? PEMFile.certificates(file(name)).first else { continue }
      let serial = certificate.serial
      seen.insert(serial)
      let isOfThisAuthority = certificate.isSigned(by: authority)
      records.append(
        Record(
          name: name,
          role: certificate.role,
          certificate: PeerCertificate(certificate),
          serial: serial,
          isRevoked: isOfThisAuthority && revoked.contains(serial),
          isOfThisAuthority: isOfThisAuthority,
          hasKey: SystemPath.exists(file(String(name.dropLast(4)) + ".key"))
        )
      )
    }
    for serial in revoked where !seen.contains(serial) {
      records.append(
        Record(
          name: nil,
          role: .other,
          certificate: nil,
          serial: serial,
          isRevoked: true,
          isOfThisAuthority: true,
          hasKey: false
        )
      )
    }
    return records
  }

  /// Renews the CA and every certificate it signed for 20 years; keys stay, revoked ones are left out. PKCS#12 files
  /// that open with the default password are written anew.
  ///
  /// - Returns: the names of the files renewed, and remarks for the user.
  package func renew() throws(TLSSetupError) -> (names: [String], notes: [String]) {
    try SetupFile.withLock(lockFile) { () throws(TLSSetupError) in
      let authority = try authority().renewed()
      let records = try list()
      var names = ["ca.pem"]
      var notes: [String] = []
      try writeAuthority(authority)
      for record in records {
        guard let name = record.name, record.role != .authority, record.isOfThisAuthority, !record.isRevoked
        else { continue }
        let files = Files(prefix: file(String(name.dropLast(4))))
        guard record.hasKey else {
          notes.append("\(files.certificate) was left as it is: its key is missing")
          continue
        }
        let old: TLSIdentity
        do throws(TLSSetupError) {
          old = try files.identity()
        } catch {
          notes.append("\(files.certificate) was left as it is: \(error.reason)")
          continue
        }
        let packages = [files.pkcs12, files.legacyPKCS12].filter { SystemPath.exists($0) }
        let opens = (try? PKCS12File.read(files.pkcs12, password: Self.defaultPassword)) != nil
        let renewed = TLSIdentity(
          certificate: try authority.renew(old.certificate),
          chain: old.chain,
          key: old.key
        )
        notes += try write(renewed, to: files, password: opens ? Self.defaultPassword : nil)
        if !opens {
          if SystemPath.exists(files.combined) { try writeCombined(renewed, to: files) }
          notes += packages.map {
            "\($0) still holds the old certificate: its password is not the default one"
          }
        }
        names.append(name)
      }
      return (names, notes)
    }
  }
}

extension X509Certificate {
  var role: PKIDirectory.Record.Role {
    switch apnsim_X509_role(pointer) {
    case 1: return .authority
    case 2: return .server
    default: break
    }
    return switch PeerCertificate(self).kind {
    case .provider: .provider
    case .device: .device
    case .other: .other
    }
  }
}
