package import APNSimCore

/// Reads the bodies that advance and set the clock.
package enum ClockBody {
  static let advanceNoun = Noun(
    "ClockAdvance",
    "an advance",
    "How far the clock goes.",
    rows: [Noun.Row("by", .duration, "A duration: 300ms, 5s, 10m, 2h, 28d, 1h30m.", .required)]
  )
  static let setNoun = Noun(
    "ClockSetting",
    "a time",
    "The time that the clock is set to.",
    rows: [Noun.Row("to", .form(.time), "RFC 3339, UTC, by the simulator's clock.", .required)]
  )
  static let moveNoun = Noun(
    "ClockMove",
    "a move of the clock",
    "One of the two.",
    rows: [
      Noun.Row("by", .duration, "How far the clock would go."),
      Noun.Row("to", .form(.time), "The time that it would be set to."),
    ],
    terms: [.one(["by", "to"])]
  )

  /// `{"by":"2h"}`
  package static func advance(_ text: String) throws(DocumentError) -> TimeSpan {
    try BodyText.read(text) { root in
      Fields(root, of: advanceNoun)?.require("by")?.timeSpan("\"by\"")
    }
  }

  /// A move that is only looked at.
  package enum Move: Hashable, Sendable {
    case by(TimeSpan)
    case to(Timestamp)
  }

  /// `{"by":"2h"}` or `{"to":"2012-06-01T00:00:00Z"}`
  package static func preview(_ text: String) throws(DocumentError) -> Move {
    try BodyText.read(text) { root in
      guard let fields = Fields(root, of: moveNoun) else { return nil }
      switch (fields["by"], fields["to"]) {
      case (let by?, nil): return by.timeSpan("\"by\"").map { .by($0) }
      case (nil, let to?): return to.timestamp("\"to\"").map { .to($0) }
      case (nil, nil):
        root.report("expected \"by\" or \"to\", found neither")
        return nil
      case (_?, _?):
        root.report("a move of the clock has \"by\" or \"to\", not both")
        return nil
      }
    }
  }

  /// `{"to":"2012-06-01T00:00:00Z"}`
  package static func set(_ text: String) throws(DocumentError) -> Timestamp {
    try BodyText.read(text) { root in
      Fields(root, of: setNoun)?.require("to")?.timestamp("\"to\"")
    }
  }
}
