internal import APNSimWire

/// Judges frames as the settings of one connection say, without state and without a lock.
struct FrameJudge: BitwiseCopyable, Hashable, Sendable {
  var limits: FrameLimits
  var edition: Edition
  var policy: PayloadPolicy
  var quirks: Quirks

  init(_ configuration: Configuration, tokenSizes: TokenSizes) {
    limits = configuration.frameLimits(tokenSizes: tokenSizes)
    edition = configuration.edition
    policy = configuration.payload
    quirks = configuration.quirks
  }

  /// Makes the first checks of a frame, up to payload size, and that of the content for later.
  ///
  /// The frame must have been read with these ``limits``. Everything happens in place, for the reason that
  /// ``FrameDecoder/read(_:in:from:mode:)`` gives.
  @inline(__always)
  func judge(_ judged: inout JudgedFrame, in buffer: UnsafeRawBufferPointer) {
    // Commands 0 and 1 stop at the first length that is refused: whole, they have passed.
    let hasPassed = if case .complete = judged.frame.form { judged.frame.command < 2 } else { false }
    if !hasPassed { checkStructure(of: &judged) }
    guard judged.failed == .none else { return }
    PayloadJudge.judge(judged.frame.payload(in: buffer), into: &judged.payload)
    if judged.frame.hasPriority || !judged.payload.isFine { checkContent(of: &judged) }
  }

  @inline(never)
  private func checkStructure(of judged: inout JudgedFrame) {
    let frame = judged.frame
    if case .malformed = frame.form {
      judged.failed = frame.defect == .unknownCommand ? .command : .framing
    } else if frame.tokenLength == 0 {
      judged.failed = .tokenPresence
    } else if !limits.tokenSizes.contains(Int(frame.tokenLength)) {
      judged.failed = .tokenSize
    } else if frame.payloadLength == 0 {
      judged.failed = .payloadPresence
    } else if Int(frame.payloadLength) > limits.payload(of: frame.command) {
      judged.failed = .payloadSize
    }
  }

  /// A priority is 10 or 5 in both policies; a priority of 10 for nothing but `content-available` is called an
  /// error by Apple's documents, though the real gateway took it, so only `strict` refuses it, and only when the
  /// provider wrote the 10.
  @inline(never)
  private func checkContent(of judged: inout JudgedFrame) {
    let (frame, payload) = (judged.frame, judged.payload)
    if frame.hasPriority, frame.priority != 10, frame.priority != 5 {
      judged.failedContent = .priority
    } else if policy == .strict, !payload.isFine {
      judged.failedContent = .payload
    } else if policy == .strict, frame.hasPriority, frame.priority == 10, payload.facts.onlyContentAvailable {
      judged.failedContent = .priority
    }
  }

  /// The status of a failed check, whether or not it is said.
  func status(for check: Check) -> StatusCode {
    switch check {
    case .command: edition == .guide ? .unknown : .protocolError
    case .framing: .protocolError
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
  @inline(__always)
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

extension Quirks {
  /// Whether what fails a check is answered with silence (`silentParseErrors`).
  func silence(_ check: Check) -> Bool { contains(.silentParseErrors) && check <= .framing }
}
