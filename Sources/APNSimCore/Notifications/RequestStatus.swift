package import APNSimWire

/// The answer to a request, in the byte that a record has for it: a reason by its number, 0 for 200 without one, and two
/// that no reason has.
package struct RequestStatus: BitwiseCopyable, Hashable, Sendable {
  package let rawValue: UInt8
  /// 200, 400 …; nil where nothing is answered.
  package let number: UInt16?
  /// The reason of the answer; nil for one without.
  package let reason: Reason?

  /// Nothing is answered.
  package static let unanswered = RequestStatus(rawValue: 0xFE, number: nil, reason: nil)
  /// The byte of an answer whose status is not its reason's: ``note`` tells it.
  static let scripted: UInt8 = 0xFF

  private init(rawValue: UInt8, number: UInt16?, reason: Reason?) {
    (self.rawValue, self.number, self.reason) = (rawValue, number, reason)
  }

  init(_ reason: Reason?) {
    self.init(rawValue: reason?.rawValue ?? 0, number: reason?.status ?? 200, reason: reason)
  }

  /// An answer as a rule words it.
  package init(status: UInt16, reason: Reason?) {
    let usual = RequestStatus(reason)
    self = usual.number == status ? usual : Self(rawValue: Self.scripted, number: status, reason: reason)
  }

  /// The answer that a record tells.
  init(_ record: borrowing NotificationRecord) {
    self.init(record.status, note: record.status == Self.scripted ? record.problemOffset : 0)
  }

  /// - Parameter note: what stands beside the byte ``scripted``.
  init(_ byte: UInt8, note: Int32 = 0) {
    switch byte {
    case 0: self.init(nil)
    case Self.scripted:
      let note = UInt32(bitPattern: note)
      self.init(
        rawValue: byte,
        number: UInt16(truncatingIfNeeded: note),
        reason: Reason(rawValue: UInt8(truncatingIfNeeded: note >> 16))
      )
    default:
      let reason = Reason(rawValue: byte)
      self.init(rawValue: byte, number: reason?.status, reason: reason)
    }
  }

  /// In words: `410 Unregistered`, `no answer`.
  package var text: String {
    guard let number else { return "no answer" }
    return "\(number)" + (reason.map { " \($0.name(documented: false))" } ?? "")
  }

  /// Status and reason in one number, which stands where a record has a problem's offset: a payload is not judged where a
  /// rule answers.
  var note: Int32 { Int32(bitPattern: UInt32(number ?? 0) | UInt32(reason?.rawValue ?? 0) << 16) }
}
