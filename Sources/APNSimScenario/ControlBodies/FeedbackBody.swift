package import APNSimCore

/// Reads the body that adds a feedback tuple:
///
///     {"topic":"com.example.app","environment":"production","token":"bb…","timestamp":1338508800}
///
/// or with `device` for the token, and `at` or `after` for the time; now where no time is given.
package enum FeedbackBody {
  /// - Parameter usual: the environment that is meant where none is named.
  package static func read(
    _ text: String,
    environment usual: PushEnvironment = .production
  ) throws(DocumentError) -> FeedbackSpecification {
    try BodyText.read(text) { root in
      let keys = ["topic", "environment", "token", "device", "timestamp", "at", "after"]
      guard let fields = Fields(body: root, of: "a feedback tuple", keys: keys) else { return nil }
      let topic = fields.require("topic")?.topic()
      let environment =
        fields["environment"].map { $0.choice("the environment", of: PushEnvironment.self) } ?? usual
      let subject = subject(fields)
      let moment = moment(fields)
      guard let topic, let environment, let subject, let moment else { return nil }
      return FeedbackSpecification(
        subject: subject,
        app: AppKey(topic: topic, environment: environment),
        moment: moment
      )
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
    let given = ["timestamp", "at", "after"].filter { fields[$0] != nil }
    guard given.count < 2 else {
      fields[given[1]]?.report("a feedback tuple has one time: \"\(given[0])\" or \"\(given[1])\"")
      return nil
    }
    if let value = fields["timestamp"] {
      return value.integer("the timestamp, in seconds since 1970", 0...Int(UInt32.max))
        .map { .at(Timestamp(seconds: Int64($0))) }
    }
    if let value = fields["at"] { return value.wireTime("\"at\"").map { .at($0) } }
    if let value = fields["after"] { return value.timeSpan("\"after\"").map { .after($0) } }
    return .after(.zero)
  }
}
