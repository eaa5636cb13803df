import APNSimTLS

/// Decides by its certificate whether a peer is admitted to the device port.
///
/// "A device initiates a TLS connection with APNs … then sends its device certificate to APNs, which validates that
/// certificate" (Local and Push Notification Programming Guide, 2011-08-09, "Service-to-Device Connection Trust").
/// The chain has been verified before, against the simulator's own CA, whatever `trust` says of providers.
enum DeviceAdmission {
  /// The device's name: the certificate's common name.
  static func name(of certificate: PeerCertificate) -> String? {
    guard certificate.kind == .device, let name = certificate.commonName, !name.isEmpty else { return nil }
    return name
  }

  /// The policy of the TLS handshake.
  static func refusal(of certificate: PeerCertificate) -> TLSRefusal? {
    if name(of: certificate) != nil { return nil }
    let kind = certificate.kind == .provider ? "a provider's certificate" : "no device's certificate"
    return TLSRefusal(
      .certificateUnknown,
      reason: "it is \(kind); \"apnsim certs issue --device NAME\" makes one for a device"
    )
  }
}
