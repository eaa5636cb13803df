package import APNSimCore

/// Reads the bodies that advance and set the clock.
package enum ClockBody {
  /// `{"by":"2h"}`
  package static func advance(_ text: String) throws(DocumentError) -> TimeSpan {
    try BodyText.read(text) { root in
      Fields(body: root, of: "an advance", keys: ["by"])?.require("by")?.timeSpan("\"by\"")
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
      guard let fields = Fields(body: root, of: "a move of the clock", keys: ["by", "to"]) else { return nil }
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
      Fields(body: root, of: "a time", keys: ["to"])?.require("to")?.timestamp("\"to\"")
    }
  }
}
