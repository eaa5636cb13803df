import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture

@Suite struct `Comparing captures with requests` {
  private static func capture(
    _ requests: [(stream: UInt32, fields: [(String, String)], answer: CapturedAnswer?)]
  ) throws -> CaptureDigest {
    var header = CaptureHeader()
    header.source = CaptureSource(kind: "har", name: "x")
    var writer = CaptureWriter(header)
    let id = ConnectionID(rawValue: 1)
    let none = ProviderIdentity(topics: [], environment: .production, subject: "")
    var connection = CapturedConnection(id: id, listener: .http2, peer: "", provider: none)
    connection.areAnswersSeen = true
    let time = Timestamp(seconds: 1)
    writer.write(CaptureEntry(time: time, kind: .connectionOpened(connection)))
    for request in requests {
      let token = String(repeating: "ab", count: 32)
      let fields =
        [(":method", "POST"), (":path", "/3/device/\(token)"), ("apns-topic", "t")] + request.fields
      let evidence = ProviderRequest(
        stream: request.stream,
        headers: fields.map { (name: Array($0.0.utf8), value: Array($0.1.utf8)) },
        body: Array("{}".utf8),
        authorization: RequestAuthorization()
      ).bytes
      writer.write(CaptureEntry(time: time, kind: .stream(id, .request(evidence))))
      if let answer = request.answer {
        writer.write(CaptureEntry(time: time, kind: .stream(id, .answered(answer))))
      }
    }
    return CaptureDigest(try CaptureReader(name: "x", bytes: writer.takeLines()))
  }

  private static func kinds(_ one: CaptureDigest, _ other: CaptureDigest) -> [CaptureDiff.Kind] {
    CaptureDiff(one, other, comparesTimes: false, comparesConnections: false).differences.map(\.kind)
  }

  private static func answer(_ stream: UInt32, _ status: UInt16, _ reason: String? = nil, id: String = "A")
    -> CapturedAnswer
  {
    CapturedAnswer(stream: stream, status: status, reason: reason, id: id)
  }

  @Test func `status, reason and a chosen apns-id are compared, whatever the streams`() throws {
    let one = try Self.capture([(1, [], Self.answer(1, 200))])
    #expect(one.notifications == 1 && one.connections == 1)
    #expect(Self.kinds(one, try Self.capture([(9, [], Self.answer(9, 200, id: "B"))])).isEmpty)
    #expect(Self.kinds(one, try Self.capture([(1, [], Self.answer(1, 410, "Unregistered"))])) == [.answer])
    #expect(Self.kinds(one, try Self.capture([(1, [], nil)])) == [.answer])
    #expect(Self.kinds(one, try Self.capture([])) == [.onlyInA])
    let chosen = [("apns-id", "A")]
    let (first, second) = try (
      Self.capture([(1, chosen, Self.answer(1, 200))]),
      Self.capture([(1, chosen, Self.answer(1, 200, id: "B"))])
    )
    #expect(Self.kinds(first, second) == [.answer])
  }

  @Test func `fields that change what a push is are compared, and times are not unless asked`() throws {
    let plain = try Self.capture([
      (1, [("apns-priority", "10"), ("apns-expiration", "100")], Self.answer(1, 200))
    ])
    let other = try Self.capture([
      (1, [("apns-priority", "5"), ("apns-expiration", "100")], Self.answer(1, 200))
    ])
    #expect(Self.kinds(plain, other) == [.fields])
    let later = try Self.capture([
      (1, [("apns-priority", "10"), ("apns-expiration", "200")], Self.answer(1, 200))
    ])
    #expect(Self.kinds(plain, later).isEmpty)
    let timed = CaptureDiff(plain, later, comparesTimes: true, comparesConnections: false)
    #expect(timed.differences.map(\.kind) == [.fields])
  }
}
