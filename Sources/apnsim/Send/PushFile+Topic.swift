import APNSimProvider
import APNSimTLS

extension PushFile {
  /// Says on stderr when the file is for another app than the certificate speaks for.
  func warn(about target: ProviderTarget) {
    guard let bundle, !target.isPKCS12 else { return }
    guard let topics = try? PeerCertificate(file: target.certificateFile).topicNames else { return }
    if let warning = warning(bundle: bundle, topics: topics) { Output.note(warning) }
  }

  /// The file's bundle is the topic, but the binary interface takes the topic from the certificate.
  func warning(bundle: String, topics: [String]) -> String? {
    guard let topic = topics.first, !topics.contains(bundle) else { return nil }
    return """
      apnsim: warning: \(name) is for \(bundle), but the certificate's topic is \(topic)
      hint: "apnsim certs issue \(bundle)" makes a certificate for it
      """
  }
}
