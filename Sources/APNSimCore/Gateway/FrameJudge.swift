import APNSimWire

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

  /// Makes a submission of a frame: the first checks, up to payload size, and that of the content for later.
  ///
  /// The frame, whose fields the submission has, must have been read with these ``limits``. Everything happens in place,
  /// for the reason that ``FrameDecoder/read(_:_:in:from:mode:)`` gives.
  @inline(__always)
  func judge(_ frame: FrameEnvelope, into submission: inout Submission, in buffer: UnsafeRawBufferPointer) {
    take(frame, into: &submission)
    // Commands 0 and 1 stop at the first length that is refused: whole, they have passed.
    let hasPassed = if case .complete = frame.form { frame.command < 2 } else { false }
    if !hasPassed { checkStructure(of: frame, into: &submission) }
    guard submission.failed == .none else { return }
    PayloadJudge.judge(submission.payload(in: buffer), into: &submission.verdict)
    if submission.fields.hasPriority || !submission.verdict.isFine { checkContent(of: &submission) }
  }

  /// Makes a submission of a frame, unjudged. In the guide's edition an expiry has a sign.
  @inline(__always)
  func take(_ frame: FrameEnvelope, into submission: inout Submission) {
    (submission.start, submission.end) = (frame.start, frame.end)
    submission.interface = .binary(command: frame.command, defect: frame.defect)
    if case .guide = edition {
      submission.fields.expiry = Int64(Int32(truncatingIfNeeded: submission.fields.expiry))
    }
  }

  @inline(never)
  private func checkStructure(of frame: FrameEnvelope, into submission: inout Submission) {
    let fields = submission.fields
    if case .malformed = frame.form {
      submission.failed = frame.defect == .unknownCommand ? .command : .framing
      submission.verdict.offset = frame.defectOffset - frame.start
    } else if fields.tokenLength == 0 {
      submission.failed = .tokenPresence
    } else if !limits.tokenSizes.contains(Int(fields.tokenLength)) {
      submission.failed = .tokenSize
    } else if fields.payloadLength == 0 {
      submission.failed = .payloadPresence
    } else if Int(fields.payloadLength) > limits.payload(of: frame.command) {
      submission.failed = .payloadSize
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
