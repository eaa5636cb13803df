/// One thing a provider could do better, with how often and when, and what Apple says about it.
package struct Advice: Hashable, Sendable {
  package var kind: AdviceKind
  package var provider: AppKey
  package var severity: AdviceKind.Severity
  /// Connections for ``AdviceKind/connectionChurn``, notifications for every other kind.
  package var count: UInt64
  /// When it began and when it was seen last, in simulated time.
  package var first: Timestamp
  package var last: Timestamp
  /// What was seen and what to do, in plain English.
  package var text: String

  init(kind: AdviceKind, provider: AppKey, tally: AdviceTally, limits: DiligenceLimits) {
    self.kind = kind
    self.provider = provider
    count = tally.count
    first = tally.first
    last = tally.last
    severity = AdviceText.severity(of: kind, tally)
    text = AdviceText(tally: tally, limits: limits).text(of: kind)
  }
}

extension Advice: Comparable {
  /// By provider, then by kind: a list of all providers' advice has the same order every time.
  package static func < (left: Advice, right: Advice) -> Bool {
    (left.provider, left.kind.rawValue) < (right.provider, right.kind.rawValue)
  }
}
