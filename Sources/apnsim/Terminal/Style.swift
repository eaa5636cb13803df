import Foundation

/// Colours text on a terminal, and leaves it alone anywhere else.
struct Style: Sendable {
  enum Colour: String, Sendable, CaseIterable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  /// The codes of all colours, and the one that ends them.
  static let codes = Colour.allCases.map(\.rawValue) + ["0"]

  let isOn: Bool

  static let plain = Style(isOn: false)

  /// Colour for what goes to `handle`, unless `NO_COLOR` is set (to anything), the terminal is dumb, or the
  /// user said `--no-color`.
  static func of(
    _ handle: FileHandle,
    isRefused: Bool,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Style {
    let isUnwanted =
      isRefused || !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    return Style(isOn: !isUnwanted && Output.isTerminal(handle))
  }

  func paint(_ text: String, _ colour: Colour) -> String {
    isOn ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }
}
