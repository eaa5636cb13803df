import APNSimCore

/// The grammar of a command: its value, a sentence on it, and its reader, which makes one command or several.
struct CommandGrammar {
  typealias Reader<Result> = (_ value: Value, _ draft: inout ScenarioDraft) -> Result

  let kind: ValueKind
  let meaning: String
  let read: Reader<[Command]>

  init(_ kind: ValueKind, _ meaning: String, read: @escaping Reader<[Command]>) {
    (self.kind, self.meaning, self.read) = (kind, meaning, read)
  }

  /// One command; its reader returns nil after reporting a problem.
  init(one kind: ValueKind, _ meaning: String, read: @escaping Reader<Command?>) {
    self.init(kind, meaning) { value, draft in read(value, &draft).map { [$0] } ?? [] }
  }

  /// One command whose value stands for itself, whatever the file says.
  init(one kind: ValueKind, _ meaning: String, read: @escaping (Value) -> Command?) {
    self.init(one: kind, meaning) { value, _ in read(value) }
  }

  /// A command that says nothing but its name: `reset: true`.
  init(_ command: Command, _ meaning: String) {
    self.init(.yes, meaning) { value, _ in value.affirmation(command.name.rawValue) ? [command] : [] }
  }
}
