import APNSimWire
import ArgumentParser

/// `apnsim advice`: what the guide would tell the providers that were here.
struct AdviceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "advice",
    abstract: "Show what the providers of a running server could do better, and which Apple document says so."
  )

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let answer = try await control.client().json(ControlRequest(.get, "advice"))
    output.show(answer) { style in
      let advice = answer.member("advice")?.arrayValue ?? []
      guard !advice.isEmpty else { return ["no advice: nothing to improve"] }
      return advice.flatMap { Self.lines($0, style) }
    }
  }

  static func lines(_ advice: JSONValue, _ style: Style) -> [String] {
    let colour: Style.Colour = advice.text("severity") == "hint" ? .cyan : .yellow
    let source = advice["guide.source"]?.plain ?? ""
    let sentence = advice["guide.sentence"]?.plain ?? ""
    var lines = [
      "\(style.paint(advice.text("severity"), colour))  \(advice.text("topic")) (\(advice.text("environment")))"
        + "  \(advice.text("text"))"
    ]
    if !sentence.isEmpty { lines.append(style.paint("  \"\(sentence)\" (\(source))", .dim)) }
    return lines
  }
}
