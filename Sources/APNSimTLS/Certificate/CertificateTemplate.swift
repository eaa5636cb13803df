import COpenSSL

/// The contents of a certificate that is to be signed.
package struct CertificateTemplate: Sendable {
  package enum Purpose: Sendable, Hashable {
    case authority
    /// A server under these DNS names and addresses.
    case server(names: [String])
    case provider
    case device
  }

  /// One part of the subject.
  struct Part: Sendable, Hashable {
    var nid: Int32
    var value: String
  }

  var subject: [Part]
  package var purpose: Purpose
  /// Apple's marks of the environments.
  package var environments: CertificateEnvironments = []
  /// The topics extension; empty = none.
  package var topics: [TopicsExtension.Topic] = []
  /// Seconds since 1970, UTC. The default is a day ago, for clocks that are not quite right.
  package var notBefore: Int64 = UnixTime.now - UnixTime.secondsPerDay
  /// Seconds since 1970, UTC.
  package var notAfter: Int64 = UnixTime.now + Self.years(20)
  /// Raw values of extensions by object identifier, for tests and faults.
  package var rawExtensions: [String: [UInt8]] = [:]

  /// The subject's O in all certificates made here but those of providers, which imitate Apple's.
  static let organization = "apnsim"
  /// The subject's OU in device certificates.
  static let deviceUnit = "Device"

  static func years(_ count: Int64) -> Int64 { count * 365 * UnixTime.secondsPerDay + count / 4 * 86_400 }

  package static func authority(name: String = "apnsim CA") -> CertificateTemplate {
    CertificateTemplate(
      subject: [
        Part(nid: NID_commonName, value: name), Part(nid: NID_organizationName, value: organization),
      ],
      purpose: .authority
    )
  }

  package static func server(names: [String]) -> CertificateTemplate {
    let names = names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return CertificateTemplate(
      subject: [
        Part(nid: NID_commonName, value: names.first ?? "localhost"),
        Part(nid: NID_organizationName, value: organization),
      ],
      purpose: .server(names: names)
    )
  }

  /// The names of every server certificate made here.
  static let usualServerNames = ["localhost", "127.0.0.1", "::1"]

  /// True for a DNS name, which may begin with `*.`, or an address without brackets.
  package static func isServerName(_ name: String) -> Bool {
    if CertificateBuilder.isAddress(name) { return true }
    let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return name.utf8.count <= 253
      && labels.enumerated().allSatisfy { index, label in
        if index == 0, labels.count > 1, Array(label) == [UInt8(ascii: "*")] { return true }
        return (1...63).contains(label.count)
          && label.allSatisfy {
            (48...57).contains($0) || (97...122).contains($0 | 0x20) || $0 == 45 || $0 == 95
          }
      }
  }

  /// A provider's certificate as Apple's: `UID=com.example.app, CN=Apple Production IOS Push Services:
  /// com.example.app`. The first topic is the default one; more than one, or a kind that is not "app", adds the
  /// topics extension.
  package static func provider(
    topics: [TopicsExtension.Topic],
    environments: CertificateEnvironments
  ) -> CertificateTemplate {
    let topic = topics.first?.name ?? ""
    var template = CertificateTemplate(
      subject: [
        Part(nid: NID_userId, value: topic),
        Part(nid: NID_commonName, value: "\(environments.service): \(topic)"),
      ],
      purpose: .provider
    )
    template.environments = environments
    if topics.count > 1 || topics.contains(where: { $0.kind != "app" }) { template.topics = topics }
    return template
  }

  /// A device's certificate, recognised as ``PeerCertificate/Kind/device``.
  package static func device(name: String) -> CertificateTemplate {
    CertificateTemplate(
      subject: [
        Part(nid: NID_commonName, value: name),
        Part(nid: NID_organizationalUnitName, value: deviceUnit),
        Part(nid: NID_organizationName, value: organization),
      ],
      purpose: .device
    )
  }
}
