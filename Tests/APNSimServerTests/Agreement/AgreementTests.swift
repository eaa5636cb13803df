import APNSimCore
import APNSimTLS
import APNSimTestSupport
import Testing

@Suite(.mustNotHang) struct `The core alone and the server over TLS` {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `the core alone and the server over TLS agree on seeded traffic: replies, endings and journal`(
    seed: UInt64
  ) async throws {
    let identity = try TestPKI.provider(TestServer.topic)
    let traffic = Traffic.mixed(seed: seed, steps: 120)
    let pure = try PureCourse.run(traffic, subject: Self.subject(identity))
    let network = try await NetworkCourse.run(traffic, model: pure, identity: identity)
    #expect(Course.difference(pure.journal, network.journal) == nil)
    #expect(pure.connections == network.connections)
    #expect(pure.feedback == network.feedback)
    // The traffic is worth something: connections ended in different ways, and lists were read.
    #expect(pure.journal.count > 300 && Set(pure.connections.map(\.how)).count >= 3)
  }

  @Test func `fifty connections at once in a fixed order give the same journal twice`() async throws {
    let identity = try TestPKI.provider(TestServer.topic)
    let traffic = Traffic.crowd(50, rounds: 4, seed: 50)
    let pure = try PureCourse.run(traffic, subject: Self.subject(identity))
    let first = try await NetworkCourse.run(traffic, model: pure, identity: identity)
    let second = try await NetworkCourse.run(traffic, model: pure, identity: identity)
    #expect(Course.difference(first.journal, second.journal) == nil)
    #expect(Course.difference(pure.journal, first.journal) == nil)
    #expect(first.connections == second.connections && first.connections == pure.connections)
  }

  @Test func `the core alone gives the same twice, and another seed something else`() throws {
    let traffic = Traffic.mixed(seed: 1, steps: 120)
    let first = try PureCourse.run(traffic, subject: "")
    #expect(try first.journal == PureCourse.run(traffic, subject: "").journal)
    let other = Traffic.mixed(seed: 2, steps: 120)
    #expect(try first.journal != PureCourse.run(other, subject: "").journal)
  }

  private static func subject(_ identity: TLSIdentity) -> String {
    PeerCertificate(identity.certificate).subject
  }
}
