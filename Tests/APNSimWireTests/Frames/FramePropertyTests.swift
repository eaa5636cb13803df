import APNSimWire
import Testing

/// Properties that hold for any notification and any cut.
struct FramePropertyTests {
  @Test func `the encoder agrees with an independent one`() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let notification = generator.notification()
      #expect(notification.encode() == IndependentEncoder.encode(notification))
    }
  }

  @Test func `what is encoded decodes to the same notification`() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<500 {
      let notification = generator.notification()
      let bytes = IndependentEncoder.encode(notification)
      try bytes.withUnsafeBytes { buffer in
        let frame = try #require(FrameDecoder.next(in: buffer, from: 0, mode: .reading))
        #expect(frame.form == .complete)
        #expect(frame.end == bytes.count)
        var decoded = NotificationFrame(frame, in: buffer)
        decoded.itemOrder = notification.itemOrder
        var expected = notification
        switch notification.command {
        case 0: (expected.identifier, expected.expiry, expected.priority) = (nil, nil, nil)
        case 1:
          expected.identifier = expected.identifier ?? NotificationIdentifier.none
          expected.expiry = expected.expiry ?? 0
          expected.priority = nil
        default: break
        }
        #expect(decoded == expected)
      }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a stream survives any chunking`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var stream: [UInt8] = []
    for _ in 0..<20 { stream += generator.notification().encode() }
    // Half of the streams end in rubbish.
    if seed % 2 == 0 { stream += [2, 0, 0, 0, 4, 9, 9, 9, 9] + generator.bytes(20) }
    for mode in [
      FrameDecoder.Mode.reading, .judging(FrameLimits(simplePayload: 200, tokenSizes: TokenSizes(1...90))),
    ] {
      let whole = frames(of: stream, chunks: [stream.count], mode: mode)
      #expect(!whole.isEmpty)
      #expect(frames(of: stream, chunks: stream.map { _ in 1 }, mode: mode) == whole)
      for _ in 0..<10 {
        var sizes: [Int] = []
        while sizes.reduce(0, +) < stream.count { sizes.append(Int.random(in: 1...400, using: &generator)) }
        #expect(frames(of: stream, chunks: sizes, mode: mode) == whole)
      }
    }
  }

  @Test func `item order does not change the notification`() throws {
    var generator = SeededGenerator(seed: 3)
    let items = [
      item(1, generator.bytes(32)), item(2, payload), item(3, [1, 2, 3, 4]), item(4, [0, 0, 0, 9]),
      item(5, [5]),
    ]
    for _ in 0..<50 {
      let body = items.shuffled(using: &generator).flatMap { $0 }
      let bytes = [2, 0, 0, 0, UInt8(body.count)] + body
      let frame = try #require(decode(bytes))
      #expect(frame.form == .complete)
      #expect(frame.identifier.hex == "01020304")
      #expect(frame.expiry == 9)
      #expect(frame.priority == 5)
      #expect(Array(bytes[frame.payload]) == payload)
    }
  }

  @Test func `no unfinished frame is longer than the decoder says`() {
    let simple = [UInt8](repeating: 0xFF, count: FrameDecoder.maximumByteCount)
    for command: UInt8 in [0, 1] {
      #expect(decode([command] + simple.dropFirst(), .reading) != nil)
    }
    let framed = hex("02 00020000") + [UInt8](repeating: 0, count: 131_072)
    #expect(framed.count <= FrameDecoder.maximumByteCount)
    #expect(decode(framed) != nil)
  }

  private func item(_ id: UInt8, _ data: [UInt8]) -> [UInt8] {
    [id, 0, UInt8(data.count)] + data
  }

  /// Decodes a stream that arrives in pieces as a connection does: the frames up to the first incomplete one.
  private func frames(of stream: [UInt8], chunks: [Int], mode: FrameDecoder.Mode) -> [Frame] {
    var frames: [Frame] = []
    var received = 0
    for size in chunks {
      received = min(received + size, stream.count)
      stream.withUnsafeBytes { buffer in
        let prefix = UnsafeRawBufferPointer(rebasing: buffer[..<received])
        while frames.last?.form ?? .complete == .complete,
          let next = FrameDecoder.next(in: prefix, from: frames.last?.end ?? 0, mode: mode)
        {
          frames.append(next)
        }
      }
    }
    return frames
  }
}
