import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture

@Suite struct `The order of streams in a replay` {
  private static func evidence(_ stream: UInt32) -> [UInt8] {
    ProviderRequest(
      stream: stream,
      headers: [(name: Array(":path".utf8), value: Array("/3/device/aa".utf8))],
      body: [],
      authorization: RequestAuthorization()
    ).bytes
  }

  private static func reader(_ kinds: [CaptureEntry.Kind]) throws -> CaptureReader {
    var header = CaptureHeader()
    header.source = CaptureSource(kind: "pcap", name: "x")
    var writer = CaptureWriter(header)
    for (number, kind) in kinds.enumerated() {
      writer.write(CaptureEntry(time: Timestamp(seconds: Int64(number)), kind: kind))
    }
    return try CaptureReader(name: "x", bytes: writer.takeLines())
  }

  private static func opened(_ id: UInt32) -> CaptureEntry.Kind {
    let none = ProviderIdentity(topics: [], environment: .production, subject: "")
    return .connectionOpened(
      CapturedConnection(id: ConnectionID(rawValue: id), listener: .http2, peer: "", provider: none)
    )
  }

  /// The streams in the order in which they are played: `3` whole, `1(` its header list, `)` the rest.
  private static func order(_ streams: [UInt32]) throws -> [String] {
    let id = ConnectionID(rawValue: 1)
    let reader = try reader([opened(1)] + streams.map { .stream(id, .request(evidence($0))) })
    var ahead = LookAhead(reader)
    var order: [String] = []
    while let item = ahead.next() {
      guard let (_, evidence) = item.request else { continue }
      order.append("\(CapturedRequest.stream(of: evidence) ?? 0)\(item.isOpening ? "(" : "")")
    }
    return order
  }

  @Test func `a stream that ended after higher ones opens before them`() throws {
    #expect(try Self.order([1, 3, 5]) == ["1", "3", "5"])
    #expect(try Self.order([3, 1, 5]) == ["1(", "3", "1", "5"])
    #expect(try Self.order([1, 9, 5, 7, 3]) == ["1", "3(", "5(", "7(", "9", "5", "7", "3"])
  }

  @Test func `a stream opens when its header list came`() throws {
    let id = ConnectionID(rawValue: 1)
    var slow = ProviderRequest(
      stream: 5,
      headers: [(name: Array(":path".utf8), value: Array("/3/device/aa".utf8))],
      body: [],
      authorization: RequestAuthorization(),
      openFor: 2500
    )
    slow.noteOpening()
    // The lines are a second apart.
    let reader = try Self.reader([
      Self.opened(1), .stream(id, .request(Self.evidence(1))), .stream(id, .request(Self.evidence(3))),
      .captureEnded, .stream(id, .request(slow.bytes)),
    ])
    var ahead = LookAhead(reader)
    var moments: [String] = []
    while let item = ahead.next() {
      guard let (_, evidence) = item.request else { continue }
      let stream = CapturedRequest.stream(of: evidence) ?? 0
      moments.append("\(item.wall.rawValue) \(stream)\(item.isOpening ? "(" : "")")
    }
    #expect(moments == ["1000 1", "1500 5(", "2000 3", "4000 5"])
  }

  @Test func `only streams of the same connection are put in order`() throws {
    let (one, two) = (ConnectionID(rawValue: 1), ConnectionID(rawValue: 2))
    let reader = try Self.reader([
      Self.opened(1), Self.opened(2), .stream(one, .request(Self.evidence(5))),
      .stream(two, .request(Self.evidence(3))),
    ])
    var ahead = LookAhead(reader)
    var count = 0
    while let item = ahead.next() {
      #expect(!item.isOpening)
      count += 1
    }
    #expect(count == 4)
  }

  @Test func `a stream too far ahead is counted, and still played`() throws {
    let streams = [5] + Array(stride(from: UInt32(7), through: 2007, by: 2)) + [3]
    let order = try Self.order(streams)
    #expect(order.last == "3" && order.count { $0.hasPrefix("3") && $0.count <= 2 } >= 1)
    #expect(order.filter { !$0.hasSuffix("(") }.count == streams.count)
  }
}
