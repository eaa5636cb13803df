package import APNSimWire

/// One thing a provider could do better, with how often and when, and what Apple says about it.
package struct Advice: Hashable, Sendable {
  package var kind: AdviceKind
  package var provider: AppKey
  package var severity: AdviceKind.Severity
  /// Connections for ``AdviceKind/connectionChurn``, ``AdviceKind/unfinishedFrame`` and ``AdviceKind/connectionPerPush``,
  /// provider tokens for ``AdviceKind/tokenPerPush``, notifications for every other kind.
  package var count: UInt64
  /// When it began and when it was seen last, in simulated time.
  package var first: Timestamp
  package var last: Timestamp
  /// The finding and the remedy, in plain English.
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

/// The number of times that one kind of advice was called for, and when.
struct AdviceTally: BitwiseCopyable, Hashable, Sendable {
  private(set) var count: UInt64 = 0
  /// The other quantity that the kind counts: bytes of white space, sends to tokens that had been read.
  private(set) var amount: UInt64 = 0
  private(set) var first = Timestamp(rawValue: 0)
  private(set) var last = Timestamp(rawValue: 0)

  mutating func add(_ count: Int, amount: Int, from: Timestamp, to: Timestamp) {
    if self.count == 0 { first = from }
    self.count &+= UInt64(clamping: count)
    self.amount &+= UInt64(clamping: amount)
    last = to
  }
}

extension Advice {
  /// Writes the members of the advice object, which the caller has begun:
  ///
  ///     {"kind":"alertOnlyBody","severity":"hint","environment":"production","topic":"com.example.app","count":3,
  ///      "first":"2012-06-01T00:00:00.000Z","last":"2012-06-01T00:00:09.000Z","text":"…",
  ///      "guide":{"sentence":"…","source":"…"}}
  package func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", kind.description)
    writer.member("severity", severity.rawValue)
    writer.member("environment", provider.environment.rawValue)
    writer.member("topic", provider.topic)
    writer.member("count", count)
    writer.member("first", first.description)
    writer.member("last", last.description)
    writer.member("text", text)
    writer.key("guide")
    writer.beginObject()
    writer.member("sentence", kind.sentence)
    writer.member("source", kind.source)
    writer.endObject()
  }
}

extension AdviceTally: KeptByMembers {
  static let members = Members(Self.init, \.count, \.amount, \.first, \.last)
}
