import ArgumentParser

/// The flags of `apnsim replay --offline` that are not settings.
struct OfflineReplayOptions: ParsableArguments {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table
    case json
    case junit
  }

  @Option(help: "Start from this scenario instead of the recorded situation.", completion: .file())
  var scenario: String?

  @Option(help: "How the result looks.")
  var format: Format?

  @Option(name: [.short, .customLong("output")], help: "Write the result to a file.", completion: .file())
  var output: String?

  @Option(help: "Write the journal of the replay to a file.", completion: .file())
  var journal: String?

  @Option(help: "The topic of providers of which the capture does not say (default: com.example.app).")
  var topic: String?

  @Flag(help: "The summary and the first difference only.")
  var quiet = false
}
