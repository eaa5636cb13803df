package import APNSimCore
import APNSimWire

/// Reads the commands of journals, as `Command.write` wrote them: `{"device.online":"bob"}`.
///
/// They are a timeline's actions, one at a time, and those that only people and the control API have.
package enum CommandReader {
  static let noun = Noun(
    "command",
    "a command",
    "What people, a scenario, tests or the control API asked of a simulator.",
    rows: CommandName.allCases.compactMap { name in
      grammar(of: name).map { Noun.Row(name.rawValue, $0.kind, $0.meaning) }
    },
    terms: [.entries(1...1)],
    takesEmpty: false
  )

  /// The first problem of a command that cannot be read, and its place in it as a JSON pointer (RFC 6901).
  package struct Mistake: Error, Hashable, CustomStringConvertible {
    let pointer: String
    let message: String

    package var description: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
  }

  package static func read(_ json: [UInt8]) throws(Mistake) -> Command {
    let text = String(decoding: json, as: UTF8.self)
    do throws(DocumentError) {
      return try read(text, hasPlaces: false)
    } catch {
      throw mistake(in: text) ?? Mistake(error)
    }
  }

  /// The connection that a command ends; nil for any other command.
  package static func endedConnection(in json: [UInt8]) -> ConnectionID? {
    if case .endConnection(let id, _)? = try? read(json) { id } else { nil }
  }

  /// Reads a command again for the places of its values, which take a multiple of the time.
  private static func mistake(in text: String) -> Mistake? {
    do throws(DocumentError) {
      _ = try read(text, hasPlaces: true)
      return nil
    } catch {
      return Mistake(error.pointed(in: text))
    }
  }

  private static func read(_ text: String, hasPlaces: Bool) throws(DocumentError) -> Command {
    try Document(text: text, name: "command", from: .command(hasPlaces: hasPlaces)).read(command)
  }

  private static func grammar(of name: CommandName) -> CommandGrammar? {
    TimelineAction.action(name) ?? ofClients(name)
  }

  private static func command(_ root: Value) -> Command? {
    let entries = root.someEntries("a command, such as { device.online: bob }")
    guard let entry = entries.first else { return nil }
    if let second = entries.dropFirst().first {
      second.key.report("expected one command, found \(entries.count)")
    }
    guard let grammar = CommandName(rawValue: entry.name).flatMap(grammar(of:)) else {
      entry.key.report(
        "unknown command \"\(Value.shown(entry.name))\"",
        suggestion: NearestName.find(entry.name, among: noun.keys)
      )
      return nil
    }
    var draft = ScenarioDraft(serverSettings: [])
    let commands = grammar.read(entry.value, &draft)
    if commands.count > 1 { entry.value.report("expected one command, found \(commands.count)") }
    return commands.first
  }
}

extension CommandReader.Mistake {
  fileprivate init(_ error: DocumentError) {
    let problem = error.problems.first
    pointer = problem?.pointer ?? ""
    message = (problem?.message ?? "") + (problem?.suggestion.map { "; did you mean \"\($0)\"?" } ?? "")
  }
}
