import ArgumentParser
import Foundation

/// How results look: for people or for programs.
struct OutputOptions: ParsableArguments {
  @Flag(name: .customLong("json"), help: "Print JSON.")
  var isJSON = false

  @Flag(name: .customLong("no-color"), help: "No colour, as with NO_COLOR set.")
  var noColor = false

  /// The style of what goes to stdout.
  var style: Style { Style.of(.standardOutput, isRefused: noColor) }
}
