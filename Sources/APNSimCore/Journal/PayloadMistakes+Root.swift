import APNSimWire

/// The mistakes behind a payload that is JSON and whose root has no `aps`.
extension PayloadMistakes {
  /// A dictionary under a name that looks like `aps`, `aps` inside something else, or its keys without it.
  var missingAPS: String? {
    guard let root = try? JSONValue.parse(payload) else { return nil }
    if let hint = Self.firebaseForm(root) { return hint }
    for member in root.objectValue ?? [] where member.value.objectValue != nil {
      if let hint = Self.otherName(member.key) { return hint }
    }
    if let path = Self.path(toAPS: root, depth: 1) {
      return "'aps' is inside '\(path)': its place is the root"
    }
    let misplaced = root.misplacedKeys.first { $0.meant.starts(with: "aps.") }
    return misplaced.map { "no device looks for '\($0.path)': its place is '\($0.meant)'" }
  }

  /// The mistake behind a message of Firebase Cloud Messaging, of its present form or of the one before.
  private static func firebaseForm(_ root: JSONValue) -> String? {
    let name = "this is a message of Firebase Cloud Messaging"
    if let message = root.member("message"), message.objectValue != nil {
      guard message.member("apns") == nil else {
        return "\(name): APNs takes what is inside 'message.apns.payload'"
      }
      let isMessage = ["notification", "android", "token", "data"].contains { message.member($0) != nil }
      return isMessage ? "\(name): for APNs write {\"aps\":{\"alert\":{\"title\":…,\"body\":…}}}" : nil
    }
    let isForOne = root.member("to") != nil || root.member("registration_ids") != nil
    guard let notification = root.member("notification"), notification.member("aps") == nil,
      isForOne || notification.member("body") != nil || notification.member("title") != nil
    else { return nil }
    return "\(name): for APNs 'notification' is {\"aps\":{\"alert\":{\"title\":…,\"body\":…}}}"
  }

  /// A dictionary in an array.
  var array: String? {
    guard let elements = (try? JSONValue.parse(payload))?.arrayValue else { return nil }
    return elements.contains { $0.member("aps") != nil }
      ? "'aps' is inside an array: the payload is the dictionary itself" : nil
  }

  /// The mistake in a name that looks like `aps`.
  private static func otherName(_ key: String) -> String? {
    let name = key.lowercased()
    if name == "aps" { return "'\(key)' is another name than 'aps': names are compared with their case" }
    if ["apns", "asp", "pas", "ap", "ps"].contains(name) { return "'\(key)' looks like 'aps'" }
    let letters = name.unicodeScalars.filter { !isInvisible($0) }
    guard letters.count == 3,
      zip(letters, "aps".unicodeScalars).allSatisfy({ $0 == $1 || lookalikes[$0.value] == $1 })
    else { return nil }
    if let other = letters.first(where: { !$0.isASCII }), let meant = lookalikes[other.value] {
      return "a name looks like 'aps', and has \(code(other)) in place of '\(meant)'"
    }
    let blank = name.unicodeScalars.first(where: isInvisible)
    return blank.map { "a name is 'aps' but for \(code($0)), which nobody sees: leave it out" }
  }

  /// The letters of other alphabets that look like those of `aps`.
  private static let lookalikes: [UInt32: Unicode.Scalar] = [
    0x0430: "a", 0x0251: "a", 0x03B1: "a", 0xFF41: "a", 0x0440: "p", 0x03C1: "p", 0xFF50: "p", 0x0455: "s",
    0xFF53: "s",
  ]

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
      || scalar.properties.generalCategory == .control
  }

  private static func code(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let name =
      scalar == " " ? "a space" : "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return name
  }

  /// The levels below the root in which `aps` is looked for.
  private static let deepest = 4

  /// The path of the first dictionary with a dictionary `aps` in it.
  private static func path(toAPS value: JSONValue, depth: Int) -> String? {
    guard depth <= deepest else { return nil }
    for member in value.objectValue ?? [] {
      if member.value.member("aps")?.objectValue != nil { return member.key }
      if let path = path(toAPS: member.value, depth: depth + 1) { return "\(member.key).\(path)" }
    }
    return nil
  }
}
