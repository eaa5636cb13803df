import APNSimCore
import APNSimProperties
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture
@testable import APNSimImport

@Suite struct `A capture that begins inside of a connection` {
  private let frames = NativeCapture.frame(1) + NativeCapture.frame(2)

  private static func reader(_ lines: [String]) throws -> CaptureReader {
    try CaptureReader(name: "x", bytes: NativeCapture.bytes(lines))
  }

  private func digest(_ lines: [String]) throws -> CaptureDigest {
    CaptureDigest(try Self.reader(lines))
  }

  private func export(_ lines: [String]) throws -> CaptureExport {
    let reader = try Self.reader(lines)
    var export = CaptureExport(application: "test", comment: "test", isRecording: true)
    while let entry = reader.next() { export.add(entry, topic: reader.topic) }
    export.finish()
    return export
  }

  private func imported(_ lines: [String]) throws -> (entries: [CaptureEntry], summary: ImportSummary) {
    let reader = try Self.reader(lines)
    let spy = ImportSpy()
    var target = ImportTarget(ImportOptions(), spy.write)
    target.begin("a", .journal)
    while let entry = reader.next() { try target.receive(entry, topic: reader.topic) }
    target.finish()
    return (spy.entries, target.summary)
  }

  private static let openBefore = "1 connection without a beginning in the capture"

  @Test func `a capture that begins inside of a connection is compared by its notifications`() throws {
    let one = try digest(NativeCapture.within(NativeCapture.lines([frames])))
    #expect(one.items.count == 2 && one.connections == 1 && one.items.first?.topic == NativeCapture.topic)
    #expect(one.notes == [Self.openBefore])
    let two = try digest(NativeCapture.within(NativeCapture.lines([NativeCapture.frame(3)])))
    let diff = CaptureDiff(one, two, comparesTimes: false, comparesConnections: false)
    #expect(diff.differences.map(\.kind) == [.onlyInA, .onlyInA, .onlyInB])
    let whole = try digest(NativeCapture.lines([frames]))
    #expect(CaptureDiff(one, whole, comparesTimes: false, comparesConnections: false).isSame)
    #expect(whole.notes == [])
  }

  @Test func `a capture that begins inside of a connection is exported from its first notification on`()
    throws
  {
    var export = try export(NativeCapture.within(NativeCapture.lines([frames])))
    #expect(export.connections == 1 && export.bytes == frames.count && export.notes == [Self.openBefore])
    let bytes = export.takeBytes()
    #expect(bytes.firstRange(of: Array("topic \(NativeCapture.topic)".utf8)) != nil)
    let story = ImportProperty.text(ImportProperty.read(bytes))
    #expect(story.first?.hasSuffix(", in the middle") == true)
    #expect(story.contains("c1 provider \(Hex.encode(NativeCapture.frame(1)))"))
  }

  @Test func `a capture that begins inside of a connection is imported from its first notification on`()
    throws
  {
    let lines = NativeCapture.within(try NativeCapture.lines([frames]))
    let (entries, summary) = try imported(lines)
    #expect(summary.gatewayConnections == 1 && summary.frames == 2 && summary.bytesIn == frames.count)
    #expect(summary.topics == [NativeCapture.topic] && summary.assumedTopic == nil)
    #expect(summary.notes == ["a: \(Self.openBefore)"])
    guard case .connectionOpened(let connection)? = entries.first?.kind else {
      Issue.record("the connection is not opened")
      return
    }
    #expect(connection.provider.topic == NativeCapture.topic && connection.ordinal == 1)
    let folder = try TemporaryDirectory()
    let file = try folder.write("a.jsonl", NativeCapture.bytes(lines))
    let (_, both) = try ImportSpy.run([file, file])
    #expect(both.gatewayConnections == 2 && both.frames == 4 && both.bytesIn == 2 * frames.count)
  }

  @Test func `a capture says what of its first connections is left out, and counts only the rest`() throws {
    // Left are an error response, the rest of the frame it answers, and the end.
    let lines = NativeCapture.within(try NativeCapture.lines([NativeCapture.frame(1, to: [1])]), after: 2)
    let compared = try digest(lines)
    #expect(compared.items.isEmpty && compared.connections == 0)
    #expect(
      compared.notes == [
        "1 line (6 bytes) of connections that the capture does not open left out; the first is of c1"
      ]
    )
    let exported = try export(lines)
    #expect(exported.bytes == 0 && exported.packets == 0 && exported.connections == 0)
    #expect(exported.notes.count == 1 && exported.notes.first?.hasPrefix("2 lines (") == true)
    let (entries, summary) = try imported(lines)
    #expect(entries.isEmpty && summary.bytesIn + summary.bytesOut == 0)
    #expect(summary.notes.count == 1 && summary.notes.first?.hasPrefix("a: 2 lines (") == true)
  }

  @Test func `a capture does not open a connection again that was closed before it began`() throws {
    let lines = try NativeCapture.lines([frames])
    let stray = try #require(lines.first { $0.contains(#""event":"notification""#) })
    for late in [lines + [stray], NativeCapture.within(lines) + [stray]] {
      let exported = try export(late)
      #expect(exported.connections == 1 && exported.bytes == frames.count)
      #expect(exported.notes.last?.hasPrefix("1 line (") == true)
      let (_, summary) = try imported(late)
      #expect(summary.gatewayConnections == 1 && summary.frames == 2)
      #expect(summary.notes.last?.hasPrefix("a: 1 line (") == true)
      #expect(try digest(late).connections == 1)
    }
  }

  @Test func `a capture knows which connections were closed before it began, in any order and number`() {
    var closed = ConnectionNumbers()
    for number in [5, 1, 3, 2, 4, 9, 3] as [UInt32] { closed.insert(ConnectionID(rawValue: number)) }
    #expect((0...10).filter { closed.contains(ConnectionID(rawValue: $0)) } == [1, 2, 3, 4, 5, 9])
    for number in stride(from: UInt32(100), to: 300_000, by: 2) {
      closed.insert(ConnectionID(rawValue: number))
    }
    #expect(closed.contains(ConnectionID(rawValue: 100)) && closed.contains(ConnectionID(rawValue: 299_998)))
    #expect(!closed.contains(ConnectionID(rawValue: 299_997)))
    closed.insert(ConnectionID(rawValue: .max))
    #expect(closed.contains(ConnectionID(rawValue: .max)) && !closed.contains(ConnectionID(rawValue: 0)))
  }

  @Test func `nobody can explain feedback lists of a capture that begins inside of a connection`() throws {
    var list: [UInt8] = []
    for number in UInt32(1)...150 {
      FeedbackTuple(timestamp: number, token: [UInt8](repeating: 7, count: 32)).encode(into: &list)
    }
    let provider = #""provider":{"topic":"com.example.app","environment":"production"}"#
    let header = try #require(NativeCapture.within(NativeCapture.lines([]), after: 9).first)
    let time = #""time":"2012-06-01T00:00:00.000Z""#
    let lines = [
      header,
      #"{"seq":10,\#(time),"event":"connectionOpened","connection":"c4","ordinal":1,"listener":"feedback",\#(provider)}"#,
      #"{"seq":11,\#(time),"event":"feedbackRead","connection":"c4","tuples":150,"bytes":"\#(Base64.encode(list))"}"#,
      #"{"seq":14,\#(time),"event":"connectionOpened","connection":"c5","ordinal":1,"listener":"gateway",\#(provider)}"#,
    ]
    let result = try Replay(Self.reader(lines)).run()
    #expect(result.gaps.count == 1 && result.differences == 0, "\(result.differences)")
  }
}
