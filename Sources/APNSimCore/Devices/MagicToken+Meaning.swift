import APNSimWire

extension MagicToken {
  /// The effect, in words: those of its row in the table, or of its kind.
  package var meaning: String {
    if let row = Self.examples.first(where: { $0.magic == self }) { return row.meaning }
    return switch kind {
    case .refuse: "refused with status \(code)"
    case .reason: "answered with reason \(code)"
    case .fault: "fault \(code)"
    case .requestFault: "fault \(code) of a request"
    case .offline: code == 0 ? "the device is offline" : "the device is offline, back after \(span)"
    case .uninstalled: code == 0 ? "the app is removed" : "the app is removed, listed after \(span)"
    case .react: "the device takes \(span)"
    }
  }

  /// The eight bytes that say it, in hex digits.
  package var digits: String { "41504e53494d" + Hex.encode([kind.rawValue, code]) }
}
