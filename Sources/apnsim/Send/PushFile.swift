import APNSimScenario

/// A payload as `send` takes it: the `.apns` files of `xcrun simctl push`, any JSON, or raw bytes.
struct PushFile: Sendable, Equatable {
  /// The bytes to send.
  var payload: [UInt8]
  /// What the file says it is for (`Simulator Target Bundle`), which is taken out of the payload.
  var bundle: String?
  /// Where it came from, for messages.
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
