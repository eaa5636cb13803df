package import APNSimCore
import APNSimWire

/// Reads the body of a wait for notifications:
///
///     {"where":{"topic":"com.example.app"},"count":{"atLeast":3},"timeout":"5s","quietFor":"200ms","since":"n57"}
///
/// `query` says the same as `where` in one line; both together must hold. `since` is a notification's id, or `now`.
package enum WaitBody {
  package static let longestTimeout = TimeSpan.minutes(10)
  static let noun = Noun(
    "WaitRequest",
    "a wait",
    "What is waited for: where and query must both hold.",
    rows: [
      Noun.Row("where", .mapping(QueryReader.noun), "Conditions on the notifications."),
      Noun.Row(
        "query",
        .form(lineForm),
        "The same as a one-line query.",
        example: .string("topic:com.example.* alert~\"order\"")
      ),
    ] + CountReader.rows + [
      Noun.Row("timeout", .duration, "At most 10m.", usual: .string("5s")),
      Noun.Row(
        "quietFor",
        .duration,
        "Satisfied only once nothing more has matched for this duration; at most the timeout."
      ),
      Noun.Row("since", .form(startForm), "Count only notifications after this one, or from now on."),
    ],
    terms: [CountReader.term]
  )
  private static let startForm = TextForm(
    "waitStart",
    expectedStart,
    pattern: "(?:now|n(?:0|[1-9][0-9]{0,19}))",
    request: TextForm.InRequest(pattern: "^(now|n(0|[1-9][0-9]{0,19}))$")
  )
  private static let lineForm = TextForm(
    "queryLine",
    "a query in one line",
    pattern: ".*",
    request: TextForm.InRequest(lengths: 0...QueryLine.longest)
  )

  package static func read(_ text: String) throws(DocumentError) -> WaitTerms {
    try BodyText.read(text) { root in
      guard let fields = Fields(root, of: noun) else { return nil }
      var request = WaitTerms()
      if let value = fields["where"] { request.query = QueryReader.read(value) }
      if let value = fields["query"] { request.query.conditions += conditions(value) }
      guard let count = CountReader.read(fields) else { return nil }
      request.count = count
      if let value = fields["timeout"], let span = value.timeSpan("the timeout") {
        if span > longestTimeout { value.mismatch("a timeout of at most \(longestTimeout)") }
        request.timeout = span
      }
      if let value = fields["quietFor"], let span = value.timeSpan("\"quietFor\"") {
        if span > longestTimeout { value.mismatch("a duration of at most \(longestTimeout)") }
        request.quietFor = span
      }
      if let quietFor = request.quietFor, quietFor > request.timeout {
        fields["quietFor"]?.report(
          "a timeout of \(request.timeout) is too short for a \"quietFor\" of \(quietFor): give a longer one"
        )
      }
      if let value = fields["since"] { request.since = start(value) ?? .reset }
      return request
    }
  }

  private static func conditions(_ value: Value) -> [Query.Condition] {
    guard let line = value.text("a query in one line, such as topic:com.example.*") else { return [] }
    do throws(DocumentError) {
      return try QueryLine.parse(line).conditions
    } catch {
      let problem = error.problems.first
      value.report(
        "in the query, at column \(problem?.location.column ?? 1): \(problem?.message ?? "not understood")",
        suggestion: problem?.suggestion
      )
      return []
    }
  }

  private static func start(_ value: Value) -> Simulator.WaitStart? {
    if let start = value.scalar.flatMap({ start(named: $0) }) { return start }
    value.mismatch(expectedStart)
    return nil
  }

  /// `n57`, or `now`; nil for anything else.
  package static func start(named text: String) -> Simulator.WaitStart? {
    if text == "now" { return .now }
    guard let number = NotificationView.number(of: text), number < .max else { return nil }
    return .after(number)
  }

  package static let expectedStart = "a notification's id such as n57, or now"
}
