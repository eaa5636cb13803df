import APNSimCore
import APNSimServer
import APNSimTLS
import ArgumentParser

/// `apnsim certs key`: another key that signs provider tokens.
struct CertificatesKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Make a key that signs provider tokens.",
    discussion: """
      Writes AuthKey_ID.p8 as Apple gives keys out, and AuthKey_ID.json with what the key is good for. Without options it \
      is one for everything of its team; with --environment one of those that Apple has had since 2025, for one \
      environment, and with --topic for some topics. A running server knows it at once.
      """
  )

  @Option(help: ArgumentHelp("The team whose key it is.", valueName: "team"))
  var team = PKIDirectory.defaultTeam

  @Option(help: "The only environment that it is good for: production or sandbox.")
  var environment: PushEnvironment?

  @Option(
    name: .customLong("topic"),
    help: ArgumentHelp("A topic that it is good for; may be repeated.", valueName: "topic")
  )
  var topics: [String] = []

  @OptionGroup var directory: CertificateDirectoryOptions

  /// Apple's limit of a topic-specific key.
  private static let mostTopics = 400

  func validate() throws {
    guard PKIDirectory.isProviderKeyID(team) else {
      throw ValidationError("--team: expected up to 64 letters and digits, found \"\(team)\"")
    }
    for topic in topics where !AppKey.isTopic(topic) {
      throw ValidationError("--topic: expected \(AppKey.expectedTopic), found \"\(topic)\"")
    }
    guard topics.count <= Self.mostTopics else {
      throw ValidationError("--topic: expected at most \(Self.mostTopics) topics, found \(topics.count)")
    }
    guard topics.isEmpty || environment != nil else {
      throw ValidationError("--topic requires --environment: a key for some topics is for one environment")
    }
  }

  func run() throws {
    let directory = try directory.existing()
    let scope = ProviderKeyScope(team: team, environment: environment, topics: topics)
    let id = Self.makeID()
    Output.line(try directory.makeProviderKey(id, record: scope.record))
  }

  /// Ten capitals and digits, as Apple's are.
  private static func makeID() -> String {
    String((0..<10).compactMap { _ in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".randomElement() })
  }
}
