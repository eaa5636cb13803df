import COpenSSL

/// Makes an X.509 version 3 certificate of a ``CertificateTemplate`` and signs it with SHA-256.
struct CertificateBuilder {
  private let template: CertificateTemplate

  init(_ template: CertificateTemplate) {
    _ = OpenSSL.initialise
    self.template = template
  }

  /// - Parameter issuer: the issuer; `nil` for a self-signed certificate.
  func sign(
    for subjectKey: PrivateKey,
    issuer: X509Certificate?,
    with key: PrivateKey
  ) throws(TLSSetupError) -> X509Certificate {
    guard let pointer = X509_new() else { throw TLSSetupError(reason: "out of memory") }
    let certificate = X509Certificate(owning: pointer)
    let done =
      X509_set_version(pointer, 2) == 1
      && Self.setSerial(pointer)
      && setSubject(pointer)
      && X509_set_issuer_name(pointer, X509_get_subject_name(issuer?.pointer ?? pointer)) == 1
      && Self.setValidity(pointer, template.notBefore, template.notAfter)
      && X509_set_pubkey(pointer, subjectKey.pointer) == 1
      && addStandardExtensions(pointer, issuer: issuer?.pointer ?? pointer)
      && addAppleExtensions(pointer)
      && X509_sign(pointer, key.pointer, EVP_sha256()) > 0
    guard done else {
      throw TLSSetupError(reason: "a certificate could not be made: \(OpenSSL.lastReason())")
    }
    return certificate
  }

  /// Signs `old` anew with a new serial number and validity. A nil `issuer` makes it self-signed.
  static func renew(
    _ old: X509Certificate,
    issuer: X509Certificate?,
    with key: PrivateKey
  ) throws(TLSSetupError) -> X509Certificate {
    guard let pointer = X509_dup(old.pointer) else { throw TLSSetupError(reason: "out of memory") }
    let certificate = X509Certificate(owning: pointer)
    let issuer = issuer?.pointer ?? pointer
    apnsim_X509_remove_extension(pointer, NID_authority_key_identifier)
    let done =
      setSerial(pointer)
      && X509_set_issuer_name(pointer, X509_get_subject_name(issuer)) == 1
      && setValidity(
        pointer,
        UnixTime.now - UnixTime.secondsPerDay,
        UnixTime.now + CertificateTemplate.years(20)
      )
      && apnsim_X509_add_extension(pointer, issuer, NID_authority_key_identifier, "keyid") == 1
      && X509_sign(pointer, key.pointer, EVP_sha256()) > 0
    guard done else {
      throw TLSSetupError(reason: "a certificate could not be renewed: \(OpenSSL.lastReason())")
    }
    return certificate
  }

  /// Sets a serial number of 126 random bits after a one: never zero, and always sixteen bytes long.
  private static func setSerial(_ pointer: OpaquePointer) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard RAND_bytes(&bytes, 16) == 1, let big = BN_new() else { return false }
    defer { BN_free(big) }
    bytes[0] = bytes[0] & 0x7f | 0x40
    return BN_bin2bn(bytes, 16, big) != nil
      && BN_to_ASN1_INTEGER(big, X509_get_serialNumber(pointer)) != nil
  }

  /// Sets the subject as UTF8String of any length: the CN of a push certificate often exceeds the 64 characters of
  /// X.520.
  private func setSubject(_ pointer: OpaquePointer) -> Bool {
    let name = X509_get_subject_name(pointer)
    return template.subject.allSatisfy { part in
      let value = Array(part.value.utf8)
      return X509_NAME_add_entry_by_NID(
        name,
        part.nid,
        V_ASN1_UTF8STRING,
        value,
        Int32(clamping: value.count),
        -1,
        0
      ) == 1
    }
  }

  private static func setValidity(_ pointer: OpaquePointer, _ notBefore: Int64, _ notAfter: Int64) -> Bool {
    let start = ASN1_TIME_set(nil, Int(notBefore))
    let end = ASN1_TIME_set(nil, Int(notAfter))
    defer {
      ASN1_TIME_free(start)
      ASN1_TIME_free(end)
    }
    return X509_set1_notBefore(pointer, start) == 1 && X509_set1_notAfter(pointer, end) == 1
  }

  private func addStandardExtensions(_ pointer: OpaquePointer, issuer: OpaquePointer) -> Bool {
    var extensions: [(Int32, String)]
    switch template.purpose {
    case .authority:
      extensions = [
        (NID_basic_constraints, "critical,CA:TRUE"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
      ]
    case .server(let names):
      extensions = [
        (NID_basic_constraints, "critical,CA:FALSE"),
        (NID_key_usage, "critical,digitalSignature,keyEncipherment"), (NID_ext_key_usage, "serverAuth"),
        (
          NID_subject_alt_name,
          names.map { (Self.isAddress($0) ? "IP:" : "DNS:") + $0 }.joined(separator: ",")
        ),
      ]
    case .provider, .device:
      extensions = [
        (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
        (NID_ext_key_usage, "clientAuth"),
      ]
    }
    extensions.append((NID_subject_key_identifier, "hash"))
    extensions.append((NID_authority_key_identifier, "keyid"))
    return extensions.allSatisfy { apnsim_X509_add_extension(pointer, issuer, $0.0, $0.1) == 1 }
  }

  private func addAppleExtensions(_ pointer: OpaquePointer) -> Bool {
    let mark: [UInt8] = [0x05, 0x00]
    var values: [(String, [UInt8])] = []
    if template.environments.contains(.sandbox) { values.append((AppleOID.development, mark)) }
    if template.environments.contains(.production) { values.append((AppleOID.production, mark)) }
    if !template.topics.isEmpty {
      values.append((AppleOID.topics, TopicsExtension(template.topics).der))
    }
    values += template.rawExtensions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return values.allSatisfy { Self.add($0.0, $0.1, to: pointer) }
  }

  private static func add(_ oid: String, _ value: [UInt8], to pointer: OpaquePointer) -> Bool {
    guard let object = OBJ_txt2obj(oid, 1), let data = ASN1_OCTET_STRING_new() else { return false }
    defer {
      ASN1_OBJECT_free(object)
      ASN1_OCTET_STRING_free(data)
    }
    ASN1_OCTET_STRING_set(data, value, Int32(clamping: value.count))
    guard let made = X509_EXTENSION_create_by_OBJ(nil, object, 0, data) else { return false }
    defer { X509_EXTENSION_free(made) }
    return X509_add_ext(pointer, made, -1) == 1
  }

  static func isAddress(_ name: String) -> Bool {
    guard let parsed = a2i_IPADDRESS(name) else {
      ERR_clear_error()
      return false
    }
    ASN1_OCTET_STRING_free(parsed)
    return true
  }
}
