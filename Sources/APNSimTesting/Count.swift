import APNSimCore

extension APNSimulator {
  /// The number of notifications that a wait is for. A number by itself is the least.
  public struct Count: Hashable, Sendable, ExpressibleByIntegerLiteral {
    let test: CountTest

    public init(integerLiteral count: Int) { test = CountTest(atLeast: count) }

    private init(_ test: CountTest) { self.test = test }

    /// At least this many; the wait ends once they have come.
    public static func atLeast(_ count: Int) -> Count { Count(CountTest(atLeast: count)) }

    /// Exactly this many; the wait lasts as long as it may, or until it has been quiet.
    public static func exactly(_ count: Int) -> Count { Count(.exactly(count)) }

    /// At most this many; the wait lasts as long as it may, or until it has been quiet.
    public static func atMost(_ count: Int) -> Count { Count(CountTest(atMost: count)) }

    /// None; the wait lasts as long as it may, or until it has been quiet.
    public static let none = exactly(0)
  }
}
