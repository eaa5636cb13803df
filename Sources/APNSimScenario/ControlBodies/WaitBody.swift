package import APNSimCore

/// Reads the body of a wait for notifications:
///
///     {"where":{"topic":"com.example.app"},"count":{"atLeast":3},"timeout":"5s","quietFor":"200ms","since":"n57"}
///
/// `query` says the same as `where` in one line; both together must hold. `since` is a notification's id, or `now`.
package enum WaitBody {
  package static let longestTimeout = TimeSpan.minutes(10)

  package static func read(_ text: String) throws(DocumentError) -> WaitTerms {
    try BodyText.read(text) { root in
      let keys = ["where", "query", "count", "never", "timeout", "quietFor", "since"]
      guard let fields = Fields(body: root, of: "a wait", keys: keys) else { return nil }
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
