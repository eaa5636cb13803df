/// One notification frame, as ranges over the buffer it was read from: its envelope and its fields.
///
/// A frame holds no bytes and no references, so the hot path neither copies nor counts references. It records what
/// was sent and leaves the judgement to others: malformed input is an ordered value among the others, because
/// everything before it stands and everything after it is discarded.
package struct Frame: BitwiseCopyable, Hashable, Sendable {
  package typealias Form = FrameEnvelope.Form

  package var envelope: FrameEnvelope
  /// The fields, from the beginning of the frame.
  package var fields = NotificationFields()

  package init(_ form: Form, command: UInt8, start: Int, end: Int) {
    envelope = FrameEnvelope(form, command: command, start: start, end: end)
  }
}

/// Members of the envelope.
extension Frame {
  package var form: Form { envelope.form }
  package var defect: FrameDefect { envelope.defect }
  package var command: UInt8 { envelope.command }
  package var start: Int { envelope.start }
  package var end: Int { envelope.end }
  package var defectOffset: Int { envelope.defectOffset }
  package var hasEnd: Bool { envelope.hasEnd }
}

/// Members of the fields, with ranges in the buffer from which the frame was read.
extension Frame {
  package var identifier: NotificationIdentifier { fields.identifier }
  package var expiry: UInt32 { UInt32(truncatingIfNeeded: fields.expiry) }
  package var priority: UInt8 { fields.priority }
  package var tokenLength: UInt16 { fields.tokenLength }
  package var payloadLength: UInt16 { fields.payloadLength }
  package var hasToken: Bool { fields.hasToken }
  package var hasPayload: Bool { fields.hasPayload }
  package var hasIdentifier: Bool { fields.hasIdentifier }
  package var hasExpiry: Bool { fields.hasExpiry }
  package var hasPriority: Bool { fields.hasPriority }

  /// The range of the token; empty when the frame stopped or broke before it.
  package var token: Range<Int> { place(fields.token) }

  /// The range of the payload; empty when the frame stopped or broke before it.
  package var payload: Range<Int> { place(fields.payload) }

  private func place(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound + start..<range.upperBound + start
  }
}
