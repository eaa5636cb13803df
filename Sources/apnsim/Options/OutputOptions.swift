import APNSimWire
import ArgumentParser
import Foundation

/// How results look: for people or for programs.
struct OutputOptions: ParsableArguments {
  @Flag(name: .customLong("json"), help: "Print JSON.")
  var isJSON = false

  @Flag(name: .customLong("no-color"), help: "Disable colour, as NO_COLOR does.")
  var noColor = false

  /// The style of what goes to stdout.
  var style: Style { Style.of(.standardOutput, isRefused: noColor) }

  /// Prints an answer of the control API: itself, or as lines for people.
  func show(_ answer: JSONValue, _ lines: (Style) -> [String]) {
    if isJSON { Output.line(answer.description) } else { Output.lines(lines(style)) }
  }

  /// Prints what was done: the answer as JSON, or one line of talk.
  func confirm(_ answer: JSONValue, _ text: @autoclosure () -> String) {
    if isJSON {
      Output.line(answer == .null ? "{}" : answer.description)
    } else {
      Output.note(TerminalText.visible(text()))
    }
  }
}
