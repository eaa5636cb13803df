import COpenSSL

/// The contents of a certificate about its holder, as facts without judgement.
public struct PeerCertificate: Sendable, Hashable {
  /// The use for which a certificate was made, as far as its contents tell.
  public enum Kind: String, Sendable, Hashable {
    /// A provider, which sends notifications: the certificate names a topic in its subject or in the topics
    /// extension.
    case provider
    /// A device, which receives notifications: ``PKIDirectory`` made the certificate.
    case device
    /// Neither.
    case other
  }

  public let der: [UInt8]
  /// The subject on one line, most specific part first (RFC 2253): "CN=…,UID=com.example.app". One of more than
  /// 1,024 bytes is cut and ends in "…".
  public let subject: String
  /// The whole issuer in the same form.
  public let issuer: String
  public let commonName: String?
  /// The subject's UID: the topic of a certificate for one app.
  public let userID: String?
  /// The topics extension (1.2.840.113635.100.6.3.6); empty when there is none.
  public let topics: [TopicName]
  /// True if the topics extension is there and malformed.
  public let hasMalformedTopics: Bool
  /// True if the certificate has Apple's mark of the development environment (1.2.840.113635.100.6.3.1).
  public let isDevelopment: Bool
  /// True if the certificate has Apple's mark of the production environment (1.2.840.113635.100.6.3.2).
  public let isProduction: Bool
  /// Seconds since 1970, UTC.
  public let notBefore: Int64
  /// Seconds since 1970, UTC.
  public let notAfter: Int64
  /// The serial number in lower-case hexadecimal.
  public let serial: String
  public let kind: Kind

  /// One topic of the topics extension.
  public struct TopicName: Sendable, Hashable {
    /// The topic: a bundle identifier, or one derived from it.
    public let name: String
    /// "app", "voip", "complication", …
    public let kind: String
  }

  /// Every topic the holder may send to, the default one first: the extension's, else the subject's UID.
  public var topicNames: [String] {
    guard topics.isEmpty else {
      let names = topics.map(\.name)
      guard let userID, let index = names.firstIndex(of: userID), index > 0 else { return names }
      return [userID] + names[..<index] + names[(index + 1)...]
    }
    return userID.map { [$0] } ?? []
  }
}

extension PeerCertificate {
  /// Reads a DER certificate from untrusted bytes; `nil` when they are not one.
  package init?(der: [UInt8]) {
    _ = OpenSSL.initialise
    guard let certificate = X509Certificate(der: der) else { return nil }
    self.init(certificate)
  }

  /// Reads the first certificate of a PEM or DER file.
  package init(file: String) throws(TLSSetupError) {
    guard let first = try PEMFile.certificates(file).first else {
      throw TLSSetupError(file: file, reason: "expected a certificate, found none")
    }
    self.init(first)
  }

  package init(_ certificate: X509Certificate) {
    let pointer = certificate.pointer
    let name = X509_get_subject_name(pointer)
    der = certificate.der
    subject = Self.line(name)
    issuer = Self.line(X509_get_issuer_name(pointer))
    commonName = Self.entry(NID_commonName, of: name)
    userID = Self.entry(NID_userId, of: name)
    let rawTopics = Self.extensionValue(AppleOID.topics, of: pointer)
    let parsed = rawTopics.flatMap { TopicsExtension(der: $0) }
    topics = (parsed?.topics ?? []).map { TopicName(name: $0.name, kind: $0.kind) }
    hasMalformedTopics = rawTopics != nil && parsed == nil
    isDevelopment = Self.extensionValue(AppleOID.development, of: pointer) != nil
    isProduction = Self.extensionValue(AppleOID.production, of: pointer) != nil
    notBefore = UnixTime.seconds(X509_get0_notBefore(pointer)) ?? 0
    notAfter = UnixTime.seconds(X509_get0_notAfter(pointer)) ?? 0
    serial = certificate.serial
    let isDevice =
      Self.entry(NID_organizationName, of: name) == CertificateTemplate.organization
      && Self.entry(NID_organizationalUnitName, of: name) == CertificateTemplate.deviceUnit
    kind = isDevice ? .device : (userID != nil || !topics.isEmpty) ? .provider : .other
    ERR_clear_error()
  }

  /// The most bytes of a name that are kept: it stays with the connection, and with every event about it.
  private static let mostNameBytes = 1024

  /// A name on one line (RFC 2253), with UTF-8 kept readable, and cut where it is too long.
  private static func line(_ name: OpaquePointer?) -> String {
    let bytes = MemoryBuffer.collect { bio in
      apnsim_X509_NAME_print_line(bio, name) >= 0 ? 1 : 0
    }
    guard bytes.count > mostNameBytes else { return String(decoding: bytes, as: UTF8.self) }
    // A character is not cut: what follows its first byte is 10xxxxxx.
    let end = bytes[...mostNameBytes].lastIndex { $0 & 0xC0 != 0x80 } ?? mostNameBytes
    return String(decoding: bytes[..<end], as: UTF8.self) + "…"
  }

  private static func entry(_ nid: Int32, of name: OpaquePointer?) -> String? {
    let index = X509_NAME_get_index_by_NID(name, nid, -1)
    guard index >= 0, let entry = X509_NAME_get_entry(name, index) else { return nil }
    var output: UnsafeMutablePointer<UInt8>?
    let count = ASN1_STRING_to_UTF8(&output, X509_NAME_ENTRY_get_data(entry))
    guard count >= 0, let output else { return nil }
    defer { apnsim_OPENSSL_free(output) }
    return String(validating: UnsafeBufferPointer(start: output, count: Int(count)), as: UTF8.self)
  }

  private static func extensionValue(_ oid: String, of certificate: OpaquePointer) -> [UInt8]? {
    guard let object = OBJ_txt2obj(oid, 1) else { return nil }
    defer { ASN1_OBJECT_free(object) }
    let index = X509_get_ext_by_OBJ(certificate, object, -1)
    guard
      index >= 0, let found = X509_get_ext(certificate, index), let value = X509_EXTENSION_get_data(found)
    else { return nil }
    return [UInt8](
      UnsafeBufferPointer(start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value)))
    )
  }
}
