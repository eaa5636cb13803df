/// The keys of expectations, by what they are about.
enum ExpectationTables {
  static let name = Noun.Row("name", .text, "A name for reports.")

  static let notifications = Noun(
    "expectedNotifications",
    "an expectation about notifications",
    "How many notifications there are that a query finds.",
    rows: [Noun.Row("where", .mapping(QueryReader.noun), "What they have in common.", .present)]
      + CountReader.rows + [name],
    terms: [CountReader.term]
  )

  static let feedback = Noun(
    "expectedFeedback",
    "an expectation about feedback",
    "How many tuples the feedback service lists.",
    rows: [
      Noun.Row(
        "feedback",
        .either([.word("all"), .mapping(feedbackList)]),
        "The lists: all, or that of one app.",
        .present
      )
    ] + CountReader.rows + [name],
    terms: [CountReader.term]
  )
  static let feedbackList = Noun(
    "feedbackList",
    "a feedback list",
    "The feedback list of an app.",
    rows: AppReference.rows("The app, by its topic; all of them where none is named."),
    terms: [.with("environment", "app")]
  )

  static let errors = Noun(
    "expectedErrors",
    "an expectation about errors",
    "How many error responses there are.",
    rows: [
      Noun.Row(
        "error",
        .either([.word("any"), .status(upTo: 255), .mapping(error)]),
        "Which: any, those of a status, or those about an identifier.",
        .required
      )
    ] + CountReader.rows + [name],
    terms: [CountReader.term]
  )
  static let error = Noun(
    "error",
    "an error",
    "An error response.",
    rows: [
      Noun.Row("status", .status(upTo: 255), "Its status."),
      Noun.Row("identifier", .form(.identifier), "The identifier that it names."),
    ]
  )

  static let device = Noun(
    "expectedDevice",
    "an expectation about a device",
    "What a device has.",
    rows: [Noun.Row("device", .device, "The device.", .required)] + ofDevice
      + AppReference.rows("The app with the badge.") + [name],
    terms: [
      .some(ofDevice.map(\.key)), .never([.given("badge"), .given("environment"), .absent("app")]),
    ]
  )
  /// The expectations of a device, one at least.
  static let ofDevice = [
    Noun.Row("inbox", .either([CountReader.kind, .mapping(inbox)]), "What was delivered to it."),
    Noun.Row("stored", .either([CountReader.kind, .mapping(store)]), "What waits for it."),
    Noun.Row("badge", CountReader.kind, "The badge on an app."),
    Noun.Row("activities", CountReader.kind, "The Live Activities on its screen."),
    Noun.Row("ignored", CountReader.kind, "The pushes that showed nothing."),
  ]
  static let inbox = Noun(
    "inbox",
    "an inbox",
    "How much a device got.",
    rows: CountReader.rows + [Noun.Row("where", .mapping(QueryReader.noun), "What is counted.")],
    terms: [CountReader.term]
  )
  static let store = Noun(
    "store",
    "a store",
    "How much waits for a device.",
    rows: CountReader.rows,
    terms: [CountReader.term]
  )
}
