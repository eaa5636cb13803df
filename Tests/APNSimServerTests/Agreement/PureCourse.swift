import APNSimCore
import APNSimTestSupport
import Synchronization

/// Drives traffic through the core alone.
final class PureCourse {
  private let simulator: Simulator
  private let journal = TestJournal()
  private var course = Course()
  private var gateways: [GatewayConnection] = []
  /// The connections that the present step ends.
  private var ended: [Int] = []
  private let effects = Effects()

  /// A step of time or a command.
  private final class Effects: EffectOutlet {
    private let actions = Mutex<[(ConnectionID, GatewayAction)]>([])

    func perform(_ action: GatewayAction, on connection: ConnectionID) {
      actions.withLock { $0.append((connection, action)) }
    }

    func take() -> [(ConnectionID, GatewayAction)] {
      actions.withLock { actions in
        defer { actions = [] }
        return actions
      }
    }
  }

  static func run(_ traffic: Traffic, subject: String) throws -> Course {
    try PureCourse().run(traffic, subject: subject)
  }

  private init() throws {
    var options = TestServer.Options()
    TrafficWorld.prepare(&options)
    simulator = try Simulator(
      configuration: options.core,
      scenario: options.scenario,
      seed: 1,
      start: options.start
    )
    simulator.add(journal)
    simulator.setOutlet(effects)
  }

  private func run(_ traffic: Traffic, subject: String) throws -> Course {
    let now = Timestamp(rawValue: 0)
    let provider = ProviderIdentity(
      topics: [GatewayVector.topic],
      environment: .production,
      subject: subject
    )
    let opening = ConnectionOpening(peer: "", provider: provider, tlsVersion: "1.2")
    for step in traffic.steps {
      ended = []
      switch step {
      case .open:
        if let gateway = try? simulator.openGateway(opening, at: now) { gateways.append(gateway) }
        course.connections.append(Course.Ending())
      case .send(let index, let bytes):
        guard course.connections[index].how == "open" else { break }
        finish(index, bytes.withUnsafeBytes { gateways[index].receive($0, at: now) })
      case .close(let index): close(index)
      case .readFeedback: course.feedback.append(try readFeedback(opening))
      case .command(let command): try simulator.perform(command, at: now)
      }
      // In the order of the connections, since the network has no other.
      for (id, action) in effects.take().sorted(by: { $0.0 < $1.0 }) {
        if let index = gateways.firstIndex(where: { $0.id == id }) { finish(index, action) }
      }
      course.lengths.append(journal.lines.count)
      course.endings.append(ended)
    }
    course.journal = journal.lines.dropFirst().map(Course.withoutNetwork)
    simulator.setOutlet(nil)
    return course
  }

  private func finish(_ index: Int, _ action: GatewayAction) {
    course.connections[index].reply += action.records.flatMap { $0 }
    switch action.ending {
    case .none, .stopReading: return
    case .drain: course.connections[index].how = "ended"
    case .reset: course.connections[index].how = "reset"
    }
    ended.append(index)
    let reason: ClosingReason = action.ending == .reset ? .reset : .simulatorClosed
    gateways[index].closed(reason, at: Timestamp(rawValue: 0))
  }

  private func close(_ index: Int) {
    guard course.connections[index].how == "open" else { return }
    let action = gateways[index].inputEnded(at: Timestamp(rawValue: 0))
    if action != .none { return finish(index, action) }
    guard !gateways[index].hasPendingReply else { return }
    course.connections[index].how = "closed"
    ended.append(index)
    gateways[index].closed(.peerClosed, at: Timestamp(rawValue: 0))
  }

  private func readFeedback(_ opening: ConnectionOpening) throws -> [UInt8] {
    guard let connection = try? simulator.openFeedback(opening, at: Timestamp(rawValue: 0)) else { return [] }
    var bytes: [UInt8] = []
    while case let chunk = connection.nextChunk(at: Timestamp(rawValue: 0)), !chunk.isEmpty { bytes += chunk }
    connection.closed(.simulatorClosed, at: Timestamp(rawValue: 0))
    return bytes
  }
}
