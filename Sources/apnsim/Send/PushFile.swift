import APNSimScenario
import APNSimWire
import Foundation

/// A payload as `send` takes it: the `.apns` files of `xcrun simctl push`, any JSON, or raw bytes.
struct PushFile: Sendable, Equatable {
  /// The bytes to send.
  var payload: [UInt8]
  /// What the file says it is for (`Simulator Target Bundle`), which is taken out of the payload.
  var bundle: String?
  /// Where it came from, for messages.
  var name: String

  /// The key of `simctl`'s files that names the app.
  static let bundleKey = "Simulator Target Bundle"

  /// Reads a file, or stdin for `-`.
  static func load(_ path: String, isRaw: Bool) throws(CommandFailure) -> PushFile {
    let name = path == "-" ? "stdin" : path
    let bytes = try InputFile.bytes(path, limit: 65_536)
    return isRaw ? PushFile(payload: bytes, bundle: nil, name: name) : try parse(bytes, name: name)
  }

  /// Takes the JSON apart as far as it has to: white space between values goes, as the guide asks, and the
  /// bundle key; everything else stays as it was written.
  static func parse(_ bytes: [UInt8], name: String) throws(CommandFailure) -> PushFile {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(bytes)
    } catch {
      throw CommandFailure(
        .badConfiguration,
        "\(name): is not JSON: \(error)",
        hints: ["--raw sends the bytes as they are"]
      )
    }
    guard case .object(let members) = value else {
      throw CommandFailure(
        .badConfiguration,
        "\(name): expected a JSON object",
        hints: ["--raw sends the bytes as they are"]
      )
    }
    var bundle: String?
    if case .string(let text)? = members.last(where: { $0.key == bundleKey })?.value { bundle = text }
    let rest = JSONValue.object(members.filter { $0.key != bundleKey })
    return PushFile(payload: Array(rest.description.utf8), bundle: bundle, name: name)
  }
}
