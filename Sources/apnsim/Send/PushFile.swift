import APNSimProvider
import APNSimScenario
import APNSimTLS

/// A payload as `send` takes it: the `.apns` files of `xcrun simctl push`, any JSON, or raw bytes.
struct PushFile: Sendable, Equatable {
  /// The bytes to send.
  var payload: [UInt8]
  /// The bundle that the file names (`Simulator Target Bundle`), which is removed from the payload.
  var bundle: String?
  /// The file's name, for messages.
  var name: String

  /// Reads a file, or stdin for `-`.
  static func load(_ path: String, isRaw: Bool) throws(CommandFailure) -> PushFile {
    let name = path == "-" ? "stdin" : path
    let bytes = try InputFile.bytes(path, limit: 65_536)
    return isRaw ? PushFile(payload: bytes, bundle: nil, name: name) : try parse(bytes, name: name)
  }

  static func parse(_ bytes: [UInt8], name: String) throws(CommandFailure) -> PushFile {
    do throws(PushContent.Failure) {
      let content = try PushContent(bytes)
      return PushFile(payload: content.payload, bundle: content.bundle, name: name)
    } catch {
      throw CommandFailure(
        .badConfiguration,
        "\(name): \(error)",
        hints: ["--raw sends the bytes as they are"]
      )
    }
  }
}

extension PushFile {
  /// Warns on stderr if the file is for an app other than the certificate's.
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
