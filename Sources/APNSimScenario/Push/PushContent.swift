package import APNSimWire

/// The content of an `.apns` file of `xcrun simctl push`: a payload, with the app's bundle ID among its keys.
package struct PushContent: Hashable, Sendable {
  /// The bytes to send.
  package var payload: [UInt8]
  /// The bundle ID of `Simulator Target Bundle`, which is taken out of the payload.
  package var bundle: String?

  /// The key of `simctl`'s files that names the app.
  package static let bundleKey = "Simulator Target Bundle"

  /// Removes white space between values, as the guide asks, and the bundle key; everything else stays as it was
  /// written.
  package init(_ bytes: [UInt8]) throws(Failure) {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue.parse(bytes) } catch { throw .notJSON(error) }
    guard case .object(let members) = value else { throw .notAnObject }
    if case .string(let text)? = members.last(where: { $0.key == Self.bundleKey })?.value { bundle = text }
    payload = Array(JSONValue.object(members.filter { $0.key != Self.bundleKey }).description.utf8)
  }

  /// A file that is no push content.
  package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    case notJSON(JSONError)
    case notAnObject

    package var description: String {
      switch self {
      case .notJSON(let error): "is not JSON: \(error)"
      case .notAnObject: "expected a JSON object"
      }
    }
  }
}
