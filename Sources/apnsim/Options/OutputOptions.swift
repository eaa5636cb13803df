import APNSimSystem
import APNSimWire
import ArgumentParser

/// The form of results: for people or for programs.
struct OutputOptions: ParsableArguments {
  @Flag(name: .customLong("json"), help: "Print JSON.")
  var isJSON = false

  @Flag(name: .customLong("no-color"), help: "Disable colour, as NO_COLOR does.")
  var noColor = false

  /// The style of stdout.
  var style: Style { Style.of(.standardOutput, isRefused: noColor) }

  /// Puts an answer of the control API, or its lines for people, on stdout.
  func show(_ answer: JSONValue, _ lines: (Style) -> [String]) {
    if isJSON { Output.line(answer.description) } else { Output.lines(lines(style)) }
  }

  /// Confirms an action: the answer as JSON on stdout, or one line on stderr.
  func confirm(_ answer: JSONValue, _ text: @autoclosure () -> String) {
    if isJSON {
      Output.line(answer == .null ? "{}" : answer.description)
    } else {
      Output.note(TerminalText.visible(text()))
    }
  }
}
