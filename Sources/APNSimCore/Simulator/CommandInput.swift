import APNSimWire

extension Simulator {
  /// The result of a command.
  package struct CommandOutcome: Sendable {
    /// The rule that was added.
    package var rule: RuleView?
    /// The channel that was created.
    package var channel: ChannelView?
    /// The state that was replaced, to be let go of when nobody waits.
    package var replaced: ReplacedWorld?
  }
}

/// A command of people, scenarios, tests or the API.
struct CommandInput: Input {
  let command: Command
  /// The outcome of preparing the beginning that it is.
  let prepared: Result<PreparedBeginning, CommandError>?
  private var json: [UInt8] = []

  static var kind: InputKind { .command }

  init(_ command: Command, _ prepared: Result<PreparedBeginning, CommandError>? = nil) {
    (self.command, self.prepared) = (command, prepared)
  }

  /// Makes its text ahead, while nobody waits for the lock.
  mutating func encode() {
    var writer = JSONWriter()
    command.write(to: &writer)
    json = writer.bytes
  }

  func refusal(in world: inout World) -> Result<Simulator.CommandOutcome, CommandError>? {
    .failure(.suspended)
  }

  func write(to entry: inout StateWriter) {
    if json.isEmpty {
      var input = self
      input.encode()
      input.json.write(to: &entry)
    } else {
      entry.write(json)
    }
  }

  func apply(to world: inout World) -> Result<Simulator.CommandOutcome, CommandError> {
    let wall = world.wallTime(for: command)
    world.emit(.command(command, wall: wall == world.now ? nil : wall))
    do throws(CommandError) {
      try world.perform(command, prepared)
      var outcome = Simulator.CommandOutcome(replaced: world.effects.takeReplaced())
      if case .addRule = command {
        outcome.rule = world.book.order.first.map { world.book.view($0, at: world.now) }
      }
      if case .addChannel = command { outcome.channel = world.newestChannel }
      return .success(outcome)
    } catch {
      world.emit(.commandFailed(error.description))
      return .failure(error)
    }
  }

  static func replay(
    _ entry: inout StateReader,
    on world: inout World,
    texts: any StateTexts
  ) throws(StateError) {
    let json = Array(try entry.bytes())
    let command: Command
    do {
      command = try texts.command(json)
    } catch {
      throw entry.error("a command was expected: \(error)")
    }
    _ = CommandInput(command).apply(to: &world)
  }
}
