package import APNSimCore

/// Reads the bodies that advance and set the clock.
package enum ClockBody {
  /// `{"by":"2h"}`
  package static func advance(_ text: String) throws(DocumentError) -> TimeSpan {
    try BodyText.read(text) { root in
      Fields(root, of: "an advance", keys: ["by"])?.require("by")?.timeSpan("\"by\"")
    }
  }

  /// `{"to":"2012-06-01T00:00:00Z"}`
  package static func set(_ text: String) throws(DocumentError) -> Timestamp {
    try BodyText.read(text) { root in
      Fields(root, of: "a time", keys: ["to"])?.require("to")?.timestamp("\"to\"")
    }
  }
}
