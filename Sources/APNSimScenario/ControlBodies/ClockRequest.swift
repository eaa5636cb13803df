package import APNSimCore

/// What the control API is told of the clock.
package enum ClockRequest {
  /// `{"by":"2h"}`
  package static func advance(_ text: String) throws(DocumentError) -> TimeSpan {
    try RequestText.read(text) { root in
      Fields(root, of: "an advance", keys: ["by"])?.require("by")?.timeSpan("\"by\"")
    }
  }

  /// `{"to":"2012-06-01T00:00:00Z"}`
  package static func set(_ text: String) throws(DocumentError) -> Timestamp {
    try RequestText.read(text) { root in
      Fields(root, of: "a time", keys: ["to"])?.require("to")?.timestamp("\"to\"")
    }
  }
}
