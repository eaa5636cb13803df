import APNSimCore
import APNSimWire

/// `feedback:`, scripted tuples: `{ device: alice, app: com.example.app, after: 1h }`.
enum FeedbackSection: ScenarioSection {
  static let row = Noun.Row(
    "feedback",
    .list(.mapping(noun)),
    "Tuples that the feedback service lists without a notification."
  )
  private static let noun = Noun(
    "feedbackEntry",
    "a feedback entry",
    "A tuple of the feedback service.",
    rows: rows,
    terms: [.one(["device", "token"]), .one(["at", "after"])]
  )
  /// The same where the time is that of the action if none is given.
  static let addition = Noun(
    "feedbackAddition",
    "a feedback entry",
    "A tuple of the feedback service, which has the time of the action if none is given.",
    rows: rows,
    terms: [.one(["device", "token"]), .atMostOne(["at", "after"])]
  )
  private static let rows =
    [
      Noun.Row("device", .device, "The device whose token is listed."),
      Noun.Row("token", .form(.feedbackToken), "The token that is listed, registered or not."),
    ] + AppReference.rows + [
      Noun.Row("at", .form(.wireTime), "The time in the tuple."),
      Noun.Row("after", .duration, "The time in the tuple, from the start."),
    ]

  static func read(_ value: Value, into draft: inout ScenarioDraft) {
    for item in value.list("a list, such as [{ device: alice, app: com.example.app, after: 1h }]") ?? [] {
      guard let fields = Fields(item, of: noun) else { continue }
      let subject = subject(fields, draft)
      let app = AppReference.read(fields, of: subject, draft)
      let moment = moment(fields)
      guard let subject, let app, let moment else { continue }
      draft.scenario.feedback.append(FeedbackSpecification(subject: subject, app: app, moment: moment))
    }
  }

  static func subject(
    _ fields: Fields,
    _ draft: ScenarioDraft
  ) -> FeedbackSpecification.Subject? {
    switch (fields["device"], fields["token"]) {
    case (let device?, nil):
      guard let name = device.text("the name of a device") else { return nil }
      guard device.accepts(draft.devices[ExactText(name)] != nil) else {
        device.report(
          "no device is called \"\(name)\"",
          suggestion: NearestName.find(name, among: draft.devices.keys.map(\.text).sorted())
        )
        return nil
      }
      return .device(name)
    case (nil, let token?):
      return token.token(sizes: 1...65_535).map { .token($0) }
    case (_?, let token?):
      token.report("a feedback entry names a device or a token, not both")
    case (nil, nil):
      fields.value.report("a feedback entry needs \"device\" or \"token\"")
    }
    return nil
  }

  static func moment(_ fields: Fields) -> FeedbackSpecification.Moment? {
    switch (fields["at"], fields["after"]) {
    case (let at?, nil): return at.wireTime("\"at\"").map { .at($0) }
    case (nil, let after?): return after.timeSpan("\"after\"").map { .after($0) }
    case (_?, let after?): after.report("a feedback entry has \"at\" or \"after\", not both")
    case (nil, nil):
      fields.value.report("a feedback entry needs \"at\" (a time) or \"after\" (a duration)")
    }
    return nil
  }
}
