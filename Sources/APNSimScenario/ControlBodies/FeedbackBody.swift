package import APNSimCore

/// Reads the body that adds a feedback tuple:
///
///     {"topic":"com.example.app","environment":"production","token":"bb…","timestamp":1338508800}
///
/// or with `device` for the token, and `at` or `after` for the time; now where no time is given.
package enum FeedbackBody {
  static let noun = Noun(
    "TupleRequest",
    "a feedback tuple",
    "A tuple that the feedback service lists, now where no time is given.",
    rows: AppReference.bodyRows + [
      Noun.Row("token", .form(.feedbackToken), "Hex digits."),
      Noun.Row("device", .device, "Instead of a token."),
      Noun.Row("timestamp", .integer(0...Int(UInt32.max)), "Seconds since 1970."),
      Noun.Row("at", .form(.wireTime), "Instead of a timestamp."),
      Noun.Row("after", .duration, "Listed only after this duration."),
    ],
    terms: [.one(["token", "device"]), .atMostOne(times)]
  )
  private static let times = ["timestamp", "at", "after"]

  /// - Parameter usual: the environment that is meant where none is named.
  package static func read(
    _ text: String,
    environment usual: PushEnvironment = .production
  ) throws(DocumentError) -> FeedbackSpecification {
    try BodyText.read(text) { root in
      guard let fields = Fields(root, of: noun) else { return nil }
      let app = AppReference.read(body: fields, usual)
      let subject = subject(fields)
      let moment = moment(fields)
      guard let app, let subject, let moment else { return nil }
      return FeedbackSpecification(subject: subject, app: app, moment: moment)
    }
  }

  private static func subject(_ fields: Fields) -> FeedbackSpecification.Subject? {
    switch (fields["token"], fields["device"]) {
    case (let token?, nil): return token.token(sizes: 1...65_535).map { .token($0) }
    case (nil, let device?): return device.text("a device's name").map { .device($0) }
    case (_?, let device?): device.report("a feedback tuple has a token or names a device, not both")
    case (nil, nil): fields.value.report("a feedback tuple needs \"token\" or \"device\"")
    }
    return nil
  }

  private static func moment(_ fields: Fields) -> FeedbackSpecification.Moment? {
    let given = times.filter { fields[$0] != nil }
    guard given.count < 2 else {
      fields[given[1]]?.report("a feedback tuple has one time: \"\(given[0])\" or \"\(given[1])\"")
      return nil
    }
    if fields["timestamp"] != nil {
      return fields.integer("timestamp", "the timestamp, in seconds since 1970")
        .map { .at(Timestamp(seconds: Int64($0))) }
    }
    if let value = fields["at"] { return value.wireTime("\"at\"").map { .at($0) } }
    if let value = fields["after"] { return value.timeSpan("\"after\"").map { .after($0) } }
    return .after(.zero)
  }
}
