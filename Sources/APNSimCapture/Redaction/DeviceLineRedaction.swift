import APNSimCore
import APNSimWire

/// Redacts the lines between a device and the service: tokens become pseudonyms, and only strings that the protocol
/// knows at their place stay.
struct DeviceLineRedaction {
  var environment = PushEnvironment.production
  private let pseudonyms: TokenPseudonyms
  private let strings: StringFilling
  /// The last line of the device, redacted.
  private var last: [UInt8] = []

  init(_ pseudonyms: TokenPseudonyms, _ strings: StringFilling) {
    (self.pseudonyms, self.strings) = (pseudonyms, strings)
  }

  /// Redacts a line from the device at the same length: a text that is no JSON becomes another that is none.
  mutating func said(_ line: [UInt8]) -> [UInt8] {
    last = redacted(line) ?? []
    // Needless bytes of an imported line, such as space between its tokens, move to its end.
    if last.isEmpty || last.count > line.count {
      last = [UInt8](repeating: 0x78, count: line.count)
    } else {
      last += [UInt8](repeating: 0x20, count: line.count - last.count)
    }
    return last
  }

  /// Redacts a line to the device. A refusal quotes the device's line, and has to quote it redacted.
  func told(_ line: [UInt8]) -> [UInt8] {
    let error = (try? JSONValue.parse(line))?.member("error")
    if error?.member("reason")?.stringValue == "json" || error?.member("reason")?.stringValue == "request",
      let refusal = DeviceRefusal.line(refusing: last, environment: environment)
    {
      return refusal
    }
    return redacted(line).map { $0 + (line.last == 0x0A ? [0x0A] : []) }
      ?? line.map { $0 == 0x0A ? $0 : 0x78 }
  }

  /// The line in the simulator's own spelling, redacted; nil for a text that is no JSON.
  private func redacted(_ line: [UInt8]) -> [UInt8]? {
    guard let value = try? JSONValue.parse(line) else { return nil }
    var writer = JSONWriter(reservingCapacity: line.count)
    writer.value(redacted(value, at: []))
    return writer.bytes
  }

  private func redacted(_ value: JSONValue, at path: [String]) -> JSONValue {
    switch value {
    case .string(let text): .string(redacted(text, at: path))
    case .number(let digits): .number(strings.filled(number: digits))
    case .array(let elements): .array(elements.map { redacted($0, at: path + ["*"]) })
    case .object(let members):
      .object(
        members.map { member in
          let key = Self.keys.contains(member.key) ? member.key : strings.filled(member.key)
          return JSONValue.Member(key: key, value: redacted(member.value, at: path + [member.key]))
        }
      )
    case .null, .bool: value
    }
  }

  private func redacted(_ text: String, at path: [String]) -> String {
    if path.last == "token" { return pseudonyms.of(hex: text) ?? strings.filled(text) }
    let isEnvironment = path.last == "environment" && PushEnvironment(rawValue: text) != nil
    return isEnvironment || Self.kept.contains(path) ? pseudonyms.replaced(in: text) : strings.filled(text)
  }

  private static let keys: Set<String> = [
    "apps", "languages", "install", "uninstall", "topic", "environment", "token", "device", "tokens", "error",
    "closed",
    "reason", "expected", "found", "detail",
  ]

  /// The places of topics, languages, the device's name and the service's own words.
  private static let kept: Set<[String]> = [
    ["apps", "*"], ["apps", "*", "topic"], ["install"], ["install", "topic"], ["uninstall"],
    ["uninstall", "topic"],
    ["languages", "*"], ["device"], ["tokens", "*", "topic"], ["error", "reason"], ["error", "expected"],
    ["error", "found"], ["closed", "reason"], ["closed", "detail"],
  ]
}
