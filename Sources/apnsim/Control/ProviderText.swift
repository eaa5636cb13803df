/// A provider as people read of it.
enum ProviderText {
  /// The words for one without a certificate, whose requests say by their tokens who it is.
  static let withoutCertificate = "provider tokens"
}
