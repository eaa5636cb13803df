import APNSimTLS

/// Bytes that a peer shows as its certificate are read or refused; topics that were read and written are the same.
enum CertificateProperty {
  static func violation(_ input: [UInt8]) -> String? {
    if let certificate = PeerCertificate(der: input) {
      _ = certificate.topicNames
      guard PeerCertificate(der: certificate.der)?.subject == certificate.subject else {
        return "a certificate does not come back"
      }
    }
    guard let topics = TopicsExtension(der: input) else { return nil }
    let written = topics.der
    // Lengths past 65,535 bytes are not written.
    guard written.count < 65_536 else { return nil }
    return TopicsExtension(der: written)?.topics == topics.topics ? nil : "topics do not come back"
  }
}
