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

extension Advice: JSONObject {
  package static let shape = JSONShape<Self>("Advice") {
    $0.member("kind", "What could be better.", .words(AdviceKind.allCases.map(\.description))) {
      $0.kind.description
    }
    $0.member("severity", "`warning`: notifications are lost or wasted, or Apple may refuse the provider.") {
      $0.severity
    }
    $0.member("environment", "The environment.") { $0.provider.environment }
    $0.member("topic", "The provider's topic.") { $0.provider.topic }
    $0.member("count", "How often: notifications, connections, or provider tokens.") { $0.count }
    $0.member("first", "When it began.") { $0.first }
    $0.member("last", "When it was seen last.") { $0.last }
    $0.member("text", "The finding and the remedy.") { $0.text }
    $0.member("guide", "What Apple says about it.") { $0.kind.guide }
  }
}

extension AdviceKind {
  fileprivate var guide: Guide { Guide(kind: self) }

  fileprivate struct Guide: JSONObject {
    let kind: AdviceKind

    static let shape = JSONShape<Self> {
      $0.member("sentence") { $0.kind.sentence }
      $0.member("source") { $0.kind.source }
    }
  }
}

extension AdviceTally: KeptByMembers {
  static let members = Members(Self.init, \.count, \.amount, \.first, \.last)
}
