import APNSimWire

/// A frame and the submission that is made of it.
struct JudgedFrame: BitwiseCopyable {
  var envelope: FrameEnvelope
  var submission = Submission()

  /// What is there before a frame has been read into it.
  static let unread = JudgedFrame(envelope: FrameEnvelope(.malformed, command: 0, start: 0, end: 0))
}

/// Makes submissions of frames and judges them as the settings of one connection say, without state and without a lock.
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
  /// ``FrameDecoder/read(_:_:in:from:mode:)`` gives.
  @inline(__always)
  func judge(_ judged: inout JudgedFrame, in buffer: UnsafeRawBufferPointer) {
    take(judged.envelope, into: &judged.submission)
    // Commands 0 and 1 stop at the first length that is refused: whole, they have passed.
    let hasPassed = if case .complete = judged.envelope.form { judged.envelope.command < 2 } else { false }
    if !hasPassed { checkStructure(of: &judged) }
    guard judged.submission.failed == .none else { return }
    PayloadJudge.judge(judged.submission.payload(in: buffer), into: &judged.submission.verdict)
    if judged.submission.fields.hasPriority || !judged.submission.verdict.isFine {
      checkContent(of: &judged.submission)
    }
  }

  /// Makes a submission of what a frame's fields do not say, unjudged. In the guide's edition an expiry has a sign.
  @inline(__always)
  func take(_ envelope: FrameEnvelope, into submission: inout Submission) {
    (submission.start, submission.end) = (envelope.start, envelope.end)
    submission.interface = .binary(command: envelope.command, defect: envelope.defect)
    if case .guide = edition {
      submission.fields.expiry = Int64(Int32(truncatingIfNeeded: submission.fields.expiry))
    }
  }

  @inline(never)
  private func checkStructure(of judged: inout JudgedFrame) {
    let (envelope, fields) = (judged.envelope, judged.submission.fields)
    if case .malformed = envelope.form {
      judged.submission.failed = envelope.defect == .unknownCommand ? .command : .framing
    } else if fields.tokenLength == 0 {
      judged.submission.failed = .tokenPresence
    } else if !limits.tokenSizes.contains(Int(fields.tokenLength)) {
      judged.submission.failed = .tokenSize
    } else if fields.payloadLength == 0 {
      judged.submission.failed = .payloadPresence
    } else if Int(fields.payloadLength) > limits.payload(of: envelope.command) {
      judged.submission.failed = .payloadSize
    }
  }

  /// A priority is 10 or 5 in both policies; a priority of 10 for nothing but `content-available` is called an
  /// error by Apple's documents, though the real gateway took it, so only `strict` refuses it, and only when the
  /// provider wrote the 10.
  @inline(never)
  private func checkContent(of submission: inout Submission) {
    let (fields, verdict) = (submission.fields, submission.verdict)
    if fields.hasPriority, fields.priority != 10, fields.priority != 5 {
      submission.failedContent = .priority
    } else if policy == .strict, !verdict.isFine {
      submission.failedContent = .payload
    } else if policy == .strict, fields.hasPriority, fields.priority == 10, verdict.facts.onlyContentAvailable
    {
      submission.failedContent = .priority
    }
  }
}
