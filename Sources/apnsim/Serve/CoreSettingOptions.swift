import APNSimCore
import ArgumentParser

/// The core's settings as flags: one per row of its table, with the table's words.
struct CoreSettingOptions: ParsableArguments {
  @Option(name: .setting("edition"), help: .setting("edition"), completion: .setting("edition")) var edition:
    String?
  @Option(name: .setting("commands"), help: .setting("commands")) var commands: String?
  @Option(name: .setting("payload"), help: .setting("payload"), completion: .setting("payload")) var payload:
    String?
  @Option(name: .setting("tokens"), help: .setting("tokens"), completion: .setting("tokens")) var tokens:
    String?
  @Option(name: .setting("badgeAbsent"), help: .setting("badgeAbsent"), completion: .setting("badgeAbsent"))
  var badgeAbsent: String?
  @Option(name: .setting("quirk"), help: .setting("quirk", note: "; may be repeated")) var quirk: [String] =
    []
  @Option(name: .setting("storagePeriod"), help: .setting("storagePeriod")) var storagePeriod: String?
  @Option(name: .setting("idleClose"), help: .setting("idleClose"))
  var idleClose: String?
  @Option(
    name: .setting("feedbackKeep"),
    defaultAsFlag: "on",
    parsing: .next,
    help: .setting("feedbackKeep"),
    completion: .setting("feedbackKeep")
  )
  var feedbackKeep: String?
  @Option(
    name: .setting("magicTokens"),
    defaultAsFlag: "on",
    parsing: .next,
    help: .setting("magicTokens"),
    completion: .setting("magicTokens")
  )
  var magicTokens: String?
  @Option(
    name: .setting("enforce"),
    defaultAsFlag: "on",
    parsing: .next,
    help: .setting("enforce"),
    completion: .setting("enforce")
  )
  var enforce: String?
  @Option(name: .setting("keep"), help: .setting("keep")) var keep: String?

  /// Every setting of the table with what the command line says of it.
  var values: [(name: String, text: String?)] {
    [
      ("edition", edition), ("commands", commands), ("payload", payload), ("tokens", tokens),
      ("badgeAbsent", badgeAbsent), ("quirk", quirk.isEmpty ? nil : quirk.joined(separator: ",")),
      ("storagePeriod", storagePeriod), ("idleClose", idleClose), ("feedbackKeep", feedbackKeep),
      ("magicTokens", magicTokens),
      ("enforce", enforce), ("keep", keep),
    ]
  }
}
