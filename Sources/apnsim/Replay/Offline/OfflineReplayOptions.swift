import ArgumentParser

/// The flags of `apnsim replay --offline` that are not settings.
struct OfflineReplayOptions: ParsableArguments {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table
    case json
    case junit
  }

  @Option(
    help: ArgumentHelp("Start from this scenario instead of the recorded situation.", valueName: "file"),
    completion: .file()
  )
  var scenario: String?

  @Option(help: "The form of the result; table shows a row per notification also where nothing differs.")
  var format: Format?

  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp("Write the result to a file.", valueName: "file"),
    completion: .file()
  )
  var output: String?

  @Option(
    help: ArgumentHelp("Write the replay's journal to a file.", valueName: "file"),
    completion: .file()
  )
  var journal: String?

  @Option(help: "The topic of providers whose topic the capture does not show (default: com.example.app).")
  var topic: String?

  @Flag(help: "Print only the summary and the first difference.")
  var quiet = false
}
