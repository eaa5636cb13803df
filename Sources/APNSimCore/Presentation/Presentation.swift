package import APNSimWire

/// What the user of a device would see and hear of a notification while its app is not running, as data.
///
/// Source: Local and Push Notification Programming Guide 2011-08-09, "The Notification Payload", Tables 3-1 and 3-2,
/// and "Localized Formatted Strings". A running app gets the payload itself instead, and nothing is shown.
package struct Presentation: Hashable, Sendable {
  package var alert: Alert?
  package var badge: Badge
  package var sound: Sound
  /// The image the app starts with when the user taps the action button; nil when there is no such button.
  package var launchImage: String?
  /// `content-available` is 1: the app may fetch what is new (2013, Table 3-1).
  package var isContentAvailable: Bool
  /// What the app finds outside `aps`, in the order it was written; of equal names the last.
  package var custom: [JSONValue.Member]
  /// What came out otherwise than the payload's author may expect, in plain English.
  package var remarks: [String]

  /// A standard alert.
  package struct Alert: Hashable, Sendable {
    package var text: String
    /// From left to right: Close and an action, or OK alone.
    package var buttons: [String]
    /// The localization its strings were looked up in; nil when none was looked up or the app has none.
    package var language: String?

    package init(text: String, buttons: [String], language: String? = nil) {
      self.text = text
      self.buttons = buttons
      self.language = language
    }

    /// Whether tapping something launches the app.
    package var launchesApp: Bool { buttons.count > 1 }
  }

  /// What becomes of the number on the app's icon.
  package enum Badge: Hashable, Sendable {
    case set(Int)
    case removed
    case unchanged
  }

  package enum Sound: Hashable, Sendable {
    case silent
    /// The default alert sound.
    case standard
    /// A sound file of the app.
    case file(String)
  }
}
