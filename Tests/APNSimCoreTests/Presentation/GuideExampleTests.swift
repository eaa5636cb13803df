import APNSimCore
import APNSimWire
import Testing

/// "Examples of JSON Payloads" (Local and Push Notification Programming Guide 2010–2013), without the trailing commas
/// some editions have, and the WWDC 2011 slides.
@Suite struct `The guide's examples as a user sees them` {
  @Test func `1: an alert with the default buttons`() throws {
    let shown = try present(
      #"{"aps":{"alert":"Message received from Bob"},"acme2":["bang","whiz"]}"#
    )
    #expect(shown.alert == .init(text: "Message received from Bob", buttons: ["Close", "View"]))
    #expect(shown.badge == .unchanged)
    #expect(shown.sound == .silent)
    #expect(shown.custom == [.init(key: "acme2", value: .array([.string("bang"), .string("whiz")]))])
    #expect(shown.remarks == [])
  }

  @Test(arguments: [("en", "Play"), ("fr", "Jouer")])
  func `2: a localized title for the action button, and a badge`(language: String, title: String) throws {
    let payload = """
      {"aps":{"alert":{"body":"Bob wants to play poker","action-loc-key":"PLAY"},"badge":5},\
      "acme1":"bar","acme2":["bang","whiz"]}
      """
    let shown = try present(payload, StringsFixture.localization(language))
    #expect(
      shown.alert
        == .init(text: "Bob wants to play poker", buttons: ["Close", title], language: language)
    )
    #expect(shown.badge == .set(5))
    #expect(shown.custom.map(\.key) == ["acme1", "acme2"])
  }

  @Test func `2 as printed in 2011: its acme keys are inside aps, where the system ignores them`() throws {
    let payload = #"{"aps":{"alert":{"body":"b","action-loc-key":"PLAY"},"badge":5,"acme1":"bar"}}"#
    let shown = try present(payload, StringsFixture.localization("en"))
    #expect(shown.custom == [])
    #expect(
      shown.remarks
        == ["aps.acme1 is no key that Apple documents: the system ignores it, the app may read it"]
    )
  }

  @Test func `3: alert, badge and a bundled sound`() throws {
    let shown = try present(
      #"{"aps":{"alert":"You got your emails.","badge":9,"sound":"bingbong.aiff"},"acme1":"bar","acme2":42}"#
    )
    #expect(shown.alert?.buttons == ["Close", "View"])
    #expect(shown.badge == .set(9))
    #expect(shown.sound == .file("bingbong.aiff"))
    #expect(shown.custom.last == .init(key: "acme2", value: .number("42")))
  }

  @Test(arguments: [
    ("en", "Jenna and Frank have invited you to play Monopoly"),
    ("fr-CA", "Frank et Jenna vous ont invité à jouer au Monopoly"),
  ])
  func `4: a localized and formatted message`(language: String, text: String) throws {
    let payload = """
      {"aps":{"alert":{"loc-key":"GAME_PLAY_REQUEST_FORMAT","loc-args":["Jenna","Frank"]},"sound":"chime"},\
      "acme":"foo"}
      """
    let shown = try present(payload, StringsFixture.localization(language))
    #expect(shown.alert?.text == text)
    #expect(shown.sound == .file("chime"))
    #expect(shown.remarks == [])
  }

  @Test(arguments: [
    (BadgeAbsence.clear, Presentation.Badge.removed), (.keep, .unchanged),
  ])
  func `5: an empty aps removes the badge until 2012 and leaves it in 2013`(
    rule: BadgeAbsence,
    badge: Presentation.Badge
  ) throws {
    let payload = Array(#"{"aps":{},"acme2":[5,8]}"#.utf8)
    let shown = try #require(Presentation(payload: payload, badgeAbsent: rule))
    #expect(shown.badge == badge)
    #expect(shown.alert == nil)
  }

  @Test func `the example of WWDC 2011 is shown in Spanish`() throws {
    let payload = """
      {"aps":{"alert":{"loc-key":"MSG_POSTED","loc-args":["Jen","iPhone"],"action-loc-key":"VIEW"}}}
      """
    let shown = try present(payload, StringsFixture.localization("es"))
    #expect(
      shown.alert
        == .init(
          text: "Jen acaba de fijar un mensaje para usted sobre iPhone",
          buttons: ["Close", "Ver"],
          language: "Spanish"
        )
    )
  }

  private func present(
    _ payload: String,
    _ localization: Localization = Localization()
  ) throws -> Presentation {
    try #require(Presentation(payload: Array(payload.utf8), localization: localization))
  }
}
