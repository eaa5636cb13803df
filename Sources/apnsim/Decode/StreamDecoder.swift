import APNSimCore
import APNSimWire

/// Takes a provider's byte stream apart and asks a simulator about each frame, without any network.
///
/// Each frame is judged on a connection of its own, so that a bad one does not hide those after it.
struct StreamDecoder {
  private let simulator: Simulator
  private let limits: FrameLimits
  private let provider: ProviderIdentity
  private let now: Timestamp

  /// - Parameters:
  ///   - app: whose provider sent the stream.
  ///   - now: what expiries are compared with.
  init(configuration: Configuration, app: AppKey, now: Timestamp) throws {
    // Each frame has a connection of its own; the limit on how often a provider connects does not apply.
    var configuration = configuration
    configuration.enforce = false
    simulator = try Simulator(configuration: configuration, seed: 0, start: now)
    limits = configuration.frameLimits(tokenSizes: TokenSizes())
    provider = ProviderIdentity(topics: [app.topic], environment: app.environment, subject: "")
    self.now = now
  }

  /// Hands over the pieces of the stream in order, each as it is read.
  func read(_ bytes: [UInt8], _ take: (DecodedPiece) -> Void) {
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      var (count, preceding) = (0, NotificationView?.none)
      while offset < buffer.count {
        var (piece, isLast) = piece(at: offset, in: buffer)
        if let preceding { piece.follow(preceding, named: "frame \(count)") }
        count += 1
        preceding = piece.view
        take(piece)
        offset = piece.range.upperBound
        guard isLast, offset < buffer.count else { continue }
        take(
          rest(from: offset, in: buffer, .unreadable, "no frame can be found after the malformed one")
        )
        break
      }
    }
  }

  /// The piece at an offset; true with it if nothing after it can be read.
  private func piece(at offset: Int, in buffer: UnsafeRawBufferPointer) -> (DecodedPiece, isLast: Bool) {
    if let frame = FrameDecoder.next(in: buffer, from: offset, mode: .reading) {
      return (judged(frame, in: buffer), isLast: !frame.hasEnd)
    }
    // The frame is incomplete, but a declared length may have decided it already.
    if let frame = FrameDecoder.next(in: buffer, from: offset, mode: .judging(limits)) {
      return (judged(frame, in: buffer), true)
    }
    return (rest(from: offset, in: buffer, .incomplete, "the frame is incomplete"), true)
  }

  private func judged(_ frame: Frame, in buffer: UnsafeRawBufferPointer) -> DecodedPiece {
    let range = frame.start..<frame.end
    let lines = AnnotatedHex.lines(of: frame, in: buffer)
    let opening = ConnectionOpening(peer: "", provider: provider)
    guard let connection = try? simulator.openGateway(opening, at: now) else {
      return DecodedPiece(kind: .unreadable, range: range, lines: lines)
    }
    let before = simulator.notifications(limit: 1).last?.number
    let action = connection.receive(UnsafeRawBufferPointer(rebasing: buffer[range]), at: now)
    connection.closed(.peerClosed, at: now)
    guard let view = simulator.notifications(limit: 1).last, view.number != before else {
      return DecodedPiece(kind: .unreadable, range: range, lines: lines)
    }
    return DecodedPiece(kind: .notification(view, answer: action.response), range: range, lines: lines)
  }

  private func rest(
    from offset: Int,
    in buffer: UnsafeRawBufferPointer,
    _ kind: DecodedPiece.Kind,
    _ meaning: String
  ) -> DecodedPiece {
    let range = offset..<buffer.count
    return DecodedPiece(
      kind: kind,
      range: range,
      lines: AnnotatedHex.lines(ofUnread: Array(buffer[range].prefix(256)), at: offset, meaning: meaning)
    )
  }
}
