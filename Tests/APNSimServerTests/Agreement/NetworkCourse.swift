import APNSimCore
import APNSimServer
import APNSimTLS
import Testing

/// Drives traffic through a server over TLS, each step when the one before has reached the journal.
final class NetworkCourse {
  private let test: TestServer
  private let identity: TLSIdentity
  /// The course of the core alone: the journal's length after each step, and the order of the endings.
  private let model: Course
  private var course = Course()
  private var providers: [TestProvider] = []

  static func run(_ traffic: Traffic, model: Course, identity: TLSIdentity) async throws -> Course {
    var course = Course()
    try await TestServer.run(TrafficWorld.prepare) { test in
      course = try await NetworkCourse(test, identity, model).run(traffic)
    }
    return course
  }

  private init(_ test: TestServer, _ identity: TLSIdentity, _ model: Course) {
    self.test = test
    self.identity = identity
    self.model = model
  }

  private func run(_ traffic: Traffic) async throws -> Course {
    for (number, step) in traffic.steps.enumerated() {
      try await take(step)
      // Each end in the model's order; a provider that still listens is what a connection waits for.
      for index in model.endings[number] {
        let received = await providers[index].readToEndAndClose()
        let closed = if case .close(index) = step { true } else { false }
        course.connections[index].reply += received.bytes
        course.connections[index].how =
          received.wasReset ? "reset" : !received.endedInOrder ? "broken" : closed ? "closed" : "ended"
      }
      await test.journal.wait(forLines: model.lengths[number])
    }
    course.journal = test.journal.lines.dropFirst().map(Course.withoutNetwork)
    return course
  }

  private func take(_ step: Traffic.Step) async throws {
    switch step {
    case .open:
      providers.append(try await test.gateway(identity))
      course.connections.append(Course.Ending())
    case .send(let index, let bytes):
      if course.connections[index].how == "open" { try await providers[index].send(bytes) }
    case .close(let index):
      if course.connections[index].how == "open" { try await providers[index].finish() }
    case .readFeedback:
      let reader = try await test.feedback(identity)
      course.feedback.append(await reader.readToEndAndClose().bytes)
    case .command(let command): try test.server.perform(command)
    }
  }
}
