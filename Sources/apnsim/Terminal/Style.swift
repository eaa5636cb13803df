import APNSimScenario
import APNSimSystem

/// Colours text on a terminal, and leaves it alone anywhere else. What is painted has to go through
/// ``TerminalText/safe(_:)``, as everything does that `Output` writes.
struct Style: Sendable {
  enum Colour: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  /// The beginning of a colour's code until ``TerminalText/safe(_:)`` puts the escape character in its place. Nobody else
  /// can write it: U+F0A1 is for private use, and the number is another one in each process.
  static let mark = "\u{F0A1}\(String(UInt64.random(in: .min ... .max), radix: 16));"

  let isOn: Bool

  static let plain = Style(isOn: false)

  /// Colour for what goes to `stream`, unless `NO_COLOR` is set (to anything), the terminal is dumb, or the
  /// user said `--no-color`.
  static func of(
    _ stream: SystemFile,
    isRefused: Bool,
    environment: [String: String] = ProcessVariables.all
  ) -> Style {
    let isUnwanted =
      isRefused || !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    return Style(isOn: !isUnwanted && stream.isTerminal)
  }

  func paint(_ text: String, _ colour: Colour) -> String {
    isOn ? "\(Self.mark)\(colour.rawValue)m\(text)\(Self.mark)0m" : text
  }
}
