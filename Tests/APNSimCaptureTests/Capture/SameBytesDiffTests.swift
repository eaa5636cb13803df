import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture

@Suite struct `A diff of captures of the same bytes` {
  private static let id = ConnectionID(rawValue: 1)

  /// The bytes as packets have them.
  private func imported(_ stream: [UInt8]) throws -> CaptureDigest {
    var header = CaptureHeader()
    header.source = CaptureSource(kind: "pcapng", name: "x")
    var writer = CaptureWriter(header)
    let provider = ProviderIdentity(topics: [NativeCapture.topic], environment: .production, subject: "")
    let connection = CapturedConnection(id: Self.id, listener: .gateway, peer: "", provider: provider)
    let bytes = CaptureEntry.Kind.bytesIn(Self.id, stream, dropped: 0, notification: nil)
    for kind in [.connectionOpened(connection), bytes, .connectionClosed(Self.id, .peerClosed)] {
      writer.write(CaptureEntry(time: Timestamp(rawValue: 0), kind: kind))
    }
    return CaptureDigest(try CaptureReader(name: "x", bytes: writer.takeLines()))
  }

  private func redacted(_ stream: [UInt8], key: UInt8) throws -> CaptureDigest {
    let redactor = JournalRedactor(TokenPseudonyms { token in token.reversed().map { $0 ^ key } })
    let plain = NativeCapture.bytes(try NativeCapture.lines([stream]))
    let bytes = plain.withUnsafeBytes { redactor.redact($0) } + redactor.finish()
    return CaptureDigest(try CaptureReader(name: "x", bytes: bytes), isFilled: true)
  }

  private func digest(_ stream: [UInt8], besideRedacted isFilled: Bool = false) throws -> CaptureDigest {
    CaptureDigest(try NativeCapture.reader(NativeCapture.lines([stream])), isFilled: isFilled)
  }

  private func diff(_ a: CaptureDigest, _ b: CaptureDigest) -> [CaptureDiff.Kind] {
    CaptureDiff(a, b, comparesTimes: false, comparesConnections: false).differences.map(\.kind)
  }

  private static let noFrame: [UInt8] = [0xB6] + Array("garbage".utf8)
  private static let tooLong: [UInt8] = [2, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3]
  private static let tooLongToken: [UInt8] = [1, 0, 0, 0, 7, 0, 0, 0, 0, 1, 0xF4]
  private static let rejected = NativeCapture.frame(2, to: [1]) + NativeCapture.frame(3)

  private static let streams: [[UInt8]] = [
    NativeCapture.frame(1) + noFrame, NativeCapture.frame(1) + rejected + noFrame,
    NativeCapture.frame(1) + tooLong, rejected + tooLong,
    rejected + [UInt8](NativeCapture.frame(4).dropLast(3)), [UInt8](NativeCapture.frame(4).dropLast(3)),
    // Answered on a length that is too large, of which nothing more comes, or a part, or all.
    tooLongToken, tooLongToken + [1, 2, 3],
    tooLongToken + [UInt8](repeating: 1, count: 500) + [0, 2, 0x7B, 0x7D],
  ]

  @Test(arguments: streams)
  func `a diff of the same bytes finds nothing where something else than a frame came`(stream: [UInt8]) throws
  {
    let native = try digest(stream)
    let foreign = try imported(stream)
    // Of packets it is not known here what was answered.
    #expect(diff(native, foreign).filter { $0 != .errorOnlyInA } == [])
    #expect(native.items.count == foreign.items.count)
    #expect(try diff(digest(stream, besideRedacted: true), redacted(stream, key: 9)) == [])
  }

  @Test(arguments: [0, 50, 69, 120])
  func `a diff takes for frames what a gateway did not read after a fault`(bytes: Int) throws {
    let stream = (1...4).flatMap { NativeCapture.frame($0) }
    let rules = [Rule(action: .fault(bytes == 0 ? .reset(.now) : .reset(.afterBytes(bytes))))]
    let lines = try NativeCapture.lines([stream], rules: rules)
    let native = CaptureDigest(try NativeCapture.reader(lines))
    #expect(try diff(native, imported(stream)) == [] && native.notifications == 4)
    #expect(native.items.last?.outcome == .discarded)
    let redactor = JournalRedactor(TokenPseudonyms { token in token.reversed().map { $0 ^ 9 } })
    let plain = NativeCapture.bytes(lines)
    let hidden = plain.withUnsafeBytes { redactor.redact($0) } + redactor.finish()
    let filled = CaptureDigest(try CaptureReader(name: "x", bytes: hidden), isFilled: true)
    #expect(filled.notifications == 4 && filled.items.last?.identifier?.hex == "00000004")
    #expect(diff(CaptureDigest(try NativeCapture.reader(lines), isFilled: true), filled) == [])
  }

  @Test func `a diff calls what is no frame by its first byte`() throws {
    for head in [NativeCapture.frame(1), NativeCapture.frame(1) + Self.rejected] {
      for found in try [digest(head + Self.noFrame), imported(head + Self.noFrame)] {
        #expect(found.items.last?.label == "no frame (command b6)")
        #expect(found.items.last?.isFrame == false)
        #expect(found.items.first?.label == "00000001")
      }
    }
    let simple = [0, 0, 1, 7, 0, 2, 0x7B, 0x7D] as [UInt8]
    #expect(try imported(simple).items.map(\.label) == ["command 0"])
  }

  @Test func `a diff pairs tokens that begin like a script and are too short for one`() throws {
    let token = Array("APNSIM".utf8) + [0xE0, 0x0A] + [UInt8](repeating: 1, count: 23)
    let items: [UInt8] = [1, 0, 31] + token + [2, 0, 2, 0x7B, 0x7D, 3, 0, 4, 0, 0, 0, 1]
    let frame: [UInt8] = [2, 0, 0, 0, UInt8(items.count)] + items
    let plain = try digest(frame, besideRedacted: true)
    let hidden = try redacted(frame, key: 9)
    #expect(plain.items.first?.token == token && hidden.items.first?.token != token)
    #expect(diff(plain, hidden) == [])
    #expect(try diff(hidden, redacted(frame, key: 64)) == [])
  }
}
