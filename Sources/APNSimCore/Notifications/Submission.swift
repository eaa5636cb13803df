import APNSimWire

/// A notification as the door of its interface hands it over: what was sent, and what can be said of it without
/// knowing any device.
struct Submission: BitwiseCopyable {
  var fields = NotificationFields()
  /// The bounds of the bytes as sent, in the buffer at hand.
  var start = 0
  var end = 0
  /// The app whose token it has. Known inside the simulator only, so the door writes it there.
  var app: UInt16 = 0
  var interface = Interface.binary(command: 0, defect: .none)
  /// The first check that failed of a frame's structure, up to the payload's size, or of a request by itself, whatever
  /// token it is for; `none` when all passed.
  var failed = Check.none
  /// The first check of the content that failed (`priority`, `payload`); those come after topic and token.
  var failedContent = Check.none
  /// The verdict on the payload; there is one only when the structure is right. Where the bytes as sent are no
  /// notification, its offset is that of the defect in them.
  var verdict = PayloadVerdict(problem: .none, offset: 0, facts: PayloadFacts())
}

extension Submission {
  /// The submission before anything is read into it. Made once: it is copied faster than made.
  static let unread = Submission()

  /// The bytes as sent.
  @inline(__always)
  func bytes(in buffer: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    buffer.part(from: start, count: end &- start)
  }

  /// The token; empty when the notification stopped or broke before it.
  @inline(__always)
  func token(in buffer: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    fields.token(in: buffer, from: start)
  }

  /// The payload; empty when the notification stopped or broke before it.
  @inline(__always)
  func payload(in buffer: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    fields.payload(in: buffer, from: start)
  }
}

extension PayloadVerdict {
  /// Nothing is wrong. (A comparison of enumerations from another module is a call through a table.)
  @inline(__always)
  var isFine: Bool { if case .none = problem { true } else { false } }
}
