import APNSimWire
import ArgumentParser

/// A rule said in flags.
struct FaultFlags: ParsableArguments {
  @Option(help: "What it is called; \"fault remove\" takes the name.") var name: String?

  @Option(help: "The how many-th notification of a connection, from 1.") var nth: String?
  @Option(help: "The how many-th connection, from 1.") var connection: String?
  @Option(help: "Notifications of this identifier, 8 hex digits.") var identifier: String?
  @Option(help: "Notifications to this token.") var token: String?
  @Option(help: "Notifications to this device.") var device: String?
  @Option(help: "Notifications of this topic.") var topic: String?
  @Option(help: "Notifications of this command: 0, 1 or 2.") var command: String?

  @Option(help: "Answer with this status: 8 is an invalid token, 10 a shutdown.") var status: String?
  @Option(name: .customLong("after-frames"), help: "… once so many more frames are in.")
  var afterFrames: String?
  @Option(help: "… after this time: 300ms.") var delay: String?
  @Option(
    name: .customLong("fault"),
    help: "Or a fault: close, reset, swallow, latency=200ms, slice=1, reset={afterBytes: 40}, …"
  )
  var fault: String?

  @Option(help: "At most so often.") var times: Int?
  @Option(help: "Let so many that match pass first.") var after: Int?
  @Option(help: "Of those that match, every so many-th.") var every: Int?
  @Option(help: "The chance that it happens, 0 to 1.") var probability: String?

  /// The rule in the scenario file's syntax; nil when no flag was given.
  var text: String? {
    let match = [
      ("nth", nth), ("connection", connection), ("identifier", identifier.map(Self.quoted)),
      ("token", token.map(Self.quoted)), ("device", device.map(Self.quoted)),
      ("topic", topic.map(Self.quoted)), ("command", command),
    ]
    let reply = [("status", status), ("afterFrames", afterFrames), ("delay", delay)]
    let rule = [
      ("name", name.map(Self.quoted)), ("when", Self.mapping(match)), ("reply", Self.mapping(reply)),
      ("fault", fault.map(Self.fault)), ("times", times.map { "\($0)" }), ("after", after.map { "\($0)" }),
      ("every", every.map { "\($0)" }), ("probability", probability),
    ]
    return Self.mapping(rule)
  }

  /// `{ a: 1, b: 2 }` of what there is; nil for nothing.
  private static func mapping(_ members: [(String, String?)]) -> String? {
    let given = members.compactMap { name, value in value.map { "\(name): \($0)" } }
    return given.isEmpty ? nil : "{ \(given.joined(separator: ", ")) }"
  }

  private static func quoted(_ text: String) -> String { JSONValue.string(text).description }

  /// `latency=200ms` as `{ latency: 200ms }`.
  private static func fault(_ text: String) -> String {
    guard let mark = text.firstIndex(of: "=") else { return text }
    return "{ \(text[..<mark]): \(text[text.index(after: mark)...]) }"
  }
}
