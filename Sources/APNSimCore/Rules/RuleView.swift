/// A rule as people and programs look at it.
package struct RuleView: Hashable, Sendable {
  /// `r1`, by which it can be removed.
  package var id: String
  package var rule: Rule
  /// How often everything fitted, and how often it fired.
  package var matches: Int
  package var fired: Int
  /// Whether it has fired as often as it may.
  package var isSpent: Bool
}

extension RuleBook {
  /// The rules in the order they are tried.
  var views: [RuleView] { order.map(view) }

  func view(_ place: Int) -> RuleView {
    let entry = entries[place]
    return RuleView(
      id: Self.id(of: place),
      rule: entry.rule,
      matches: entry.matches,
      fired: entry.fired,
      isSpent: entry.isSpent
    )
  }
}

extension Simulator {
  /// The rules in the order they are tried: those added last first.
  package func rules() -> [RuleView] { withWorld { $0.book.views } }

  /// The state that the script is in; empty at first.
  package var scriptState: String { withWorld { $0.book.state } }
}
