import APNSimTestSupport
import APNSimWire

/// JSON that was read, written and read again is the same, and so are base64 and hex.
enum TextProperty {
  static func violation(_ input: [UInt8]) -> String? {
    if let found = jsonViolation(input) { return found }
    let text = String(decoding: input, as: UTF8.self)
    guard Hex.decode(Hex.encode(input)) == input else { return "hex does not come back" }
    guard Base64.decode(Base64.encode(input)) == input else { return "base64 does not come back" }
    if let bytes = Hex.decode(text), Hex.encode(bytes) != text.lowercased() {
      return "hex digits are not what they say"
    }
    if let bytes = Hex.decode(commented: text), Hex.decode(Hex.encode(bytes)) != bytes {
      return "commented hex does not come back"
    }
    if let bytes = Base64.decode(text), Base64.decode(Base64.encode(bytes)) != bytes {
      return "what base64 said does not come back"
    }
    return nil
  }

  private static func jsonViolation(_ input: [UInt8]) -> String? {
    guard let value = try? JSONValue.parse(input) else { return nil }
    let written = value.description
    guard let again = try? JSONValue.parse(written) else { return "what was written is not JSON: \(written)" }
    guard again == value else { return "read \(value), wrote and read \(again)" }
    var writer = JSONWriter()
    writer.value(value)
    guard (try? JSONValue.parse(writer.bytes)) == value else { return "the writer wrote something else" }
    return nil
  }
}
