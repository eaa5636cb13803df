package import APNSimWire

/// Judges frames as the settings of one connection say, without state and without a lock.
package struct FrameJudge: BitwiseCopyable, Sendable {
  package var limits: FrameLimits
  package var edition: Edition
  package var policy: PayloadPolicy
  package var quirks: Quirks

  package init(_ configuration: Configuration, tokenSizes: TokenSizes) {
    limits = configuration.frameLimits(tokenSizes: tokenSizes)
    edition = configuration.edition
    policy = configuration.payload
    quirks = configuration.quirks
  }

  /// The first checks, up to payload size, and the content for later.
  @inline(__always)
  package func judge(_ frame: Frame, in buffer: UnsafeRawBufferPointer) -> JudgedFrame {
    let failed = structure(of: frame)
    guard failed == .none else {
      return JudgedFrame(frame: frame, failed: failed, payload: .notAsked, failedContent: .none)
    }
    let verdict = PayloadJudge.judge(UnsafeRawBufferPointer(rebasing: buffer[frame.payload]))
    return JudgedFrame(
      frame: frame,
      failed: .none,
      payload: verdict,
      failedContent: content(of: frame, verdict)
    )
  }

  private func structure(of frame: Frame) -> Check {
    if case .malformed = frame.form {
      return frame.defect == .unknownCommand ? .command : .framing
    }
    if frame.tokenLength == 0 { return .tokenPresence }
    if !limits.tokenSizes.contains(frame.tokenLength) { return .tokenSize }
    if frame.payloadLength == 0 { return .payloadPresence }
    if frame.payloadLength > limits.payload(of: frame.command) { return .payloadSize }
    return .none
  }

  /// A priority is 10 or 5 in both policies; a priority of 10 for nothing but `content-available` is called an
  /// error by Apple's documents, though the real gateway took it, so only `strict` refuses it, and only when the
  /// provider wrote the 10.
  private func content(of frame: Frame, _ verdict: PayloadVerdict) -> Check {
    if frame.hasPriority, frame.priority != 10, frame.priority != 5 { return .priority }
    guard policy == .strict else { return .none }
    if !verdict.isFine { return .payload }
    if frame.hasPriority, frame.priority == 10, verdict.facts.onlyContentAvailable { return .priority }
    return .none
  }

  /// The status that answers a failed check, or nil where the answer is silence (quirk `silentParseErrors`).
  package func status(for check: Check) -> StatusCode? {
    switch check {
    case .command:
      quirks.contains(.silentParseErrors) ? nil : edition == .guide ? .unknown : .protocolError
    case .framing: quirks.contains(.silentParseErrors) ? nil : .protocolError
    case .tokenPresence: .missingDeviceToken
    case .tokenSize: .invalidTokenSize
    case .payloadPresence: .missingPayload
    case .payloadSize: .invalidPayloadSize
    case .topic: .missingTopic
    case .token: .invalidToken
    case .priority, .payload: .processingError
    case .rule, .none: .noErrorsEncountered
    }
  }

  /// How the expiry of a frame is to be read.
  func expiry(of frame: Frame) -> Expiry {
    guard frame.hasExpiry else { return .absent }
    switch edition {
    case .guide:
      let seconds = Int32(bitPattern: frame.expiry)
      return seconds <= 0 ? .doNotStore : .at(Timestamp(seconds: Int64(seconds)))
    case .final:
      return frame.expiry == 0 ? .doNotStore : .at(Timestamp(seconds: Int64(frame.expiry)))
    }
  }
}
