import APNSimScenario
import APNSimWire

/// A push file is refused with a reason, or what is sent of it is a JSON object of the same members, and taking it
/// apart again changes nothing.
enum PushProperty {
  static func violation(_ input: [UInt8]) -> String? {
    let content: PushContent
    do throws(PushContent.Failure) { content = try PushContent(input) } catch {
      return error.description.utf8.count <= 1024 ? nil : "a refusal of \(error.description.utf8.count) bytes"
    }
    guard case .object(let members)? = try? JSONValue.parse(input) else { return "taken, and no object" }
    let kept = members.filter { $0.key != PushContent.bundleKey }
    guard (try? JSONValue.parse(content.payload)) == .object(kept) else { return "the payload is another" }
    guard let again = try? PushContent(content.payload) else { return "the payload cannot be read" }
    return again.payload == content.payload && again.bundle == nil ? nil : "read again it is another"
  }
}
