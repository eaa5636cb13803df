import APNSimWire

/// The content by which two notifications are the same for the reports: the token, and the meaning of the payload, whatever their
/// numbers. Some providers write the members of a payload in another order each time.
///
/// The cheapest is compared first, and the meaning is worked out only where that does not decide, and once.
struct NotificationContent {
  /// A hash of the token.
  let token: UInt64
  let payload: UnsafeRawBufferPointer
  /// Whether the payload is JSON, where it has been judged.
  private let isJSON: Bool?
  private var known: UInt64?

  init(token: UInt64, payload: UnsafeRawBufferPointer, isJSON: Bool?) {
    (self.token, self.payload, self.isJSON) = (token, payload, isJSON)
  }

  /// - Parameter start: where the bytes as sent begin in the buffer, which must outlive the value.
  init(
    _ fields: NotificationFields,
    in buffer: UnsafeRawBufferPointer,
    from start: Int = 0,
    isJSON: Bool? = nil
  ) {
    let payload = fields.payload(in: buffer, from: start)
    self.init(token: fields.tokenHash(in: buffer, from: start), payload: payload, isJSON: isJSON)
  }

  /// The content of a notification of the history.
  init(_ record: borrowing NotificationRecord, in evidence: UnsafeRawBufferPointer) {
    self.init(record.fields, in: evidence, isJSON: record.isJSON)
  }

  /// The content of a notification on its way in. It reads what it needs in place: it is made for each one while anything
  /// may come again.
  init(_ submission: UnsafePointer<Submission>, in buffer: UnsafeRawBufferPointer) {
    self.init(
      token: submission.pointee.fields.tokenHash(in: buffer, from: submission.pointee.start),
      payload: submission.pointee.payload(in: buffer),
      isJSON: submission.pointee.failed == .none ? submission.pointee.verdict.problem.isJSON : nil
    )
  }

  /// A hash of the payload's bytes.
  var bytes: UInt64 {
    var hash = Hash64()
    hash.combine(payload)
    return hash.finalize()
  }

  /// A hash of token and meaning.
  var hash: UInt64 {
    mutating get {
      if let known { return known }
      var hash = Hash64()
      hash.combine(token)
      hash.combine(PayloadMeaning.of(payload, isJSON: isJSON))
      let content = hash.finalize()
      known = content
      return content
    }
  }

  /// A hash of token and the name that its provider gave a push, its `apns-id`; nil without one.
  func named(_ name: UnsafeRawBufferPointer?) -> UInt64? {
    guard let name, !name.isEmpty else { return nil }
    var hash = Hash64(seed: token)
    hash.combine(name)
    return hash.finalize()
  }

  /// Takes the hash from another notification to the same token whose payload has the same bytes.
  mutating func take(_ hash: UInt64) { known = hash }
}
