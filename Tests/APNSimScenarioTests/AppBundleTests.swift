import APNSimCore
import APNSimScenario
import APNSimTestSupport
import Foundation
import Testing

@Suite struct `What an app brings along` {
  private func load(_ text: String) throws -> Scenario {
    let folder = try TemporaryDirectory()
    let strings = Fixtures.root.appendingPathComponent("strings")
    try FileManager.default.copyItem(atPath: strings.path, toPath: folder.file("strings"))
    return try withExtendedLifetime(folder) { try ScenarioFile.load(try folder.write("s.yaml", text)) }
  }

  @Test func `what an app brings along is its strings beside the scenario, its sounds and images`() throws {
    let scenario = try load(
      """
      apps:
        com.example.app:
          environment: both
          localizations: strings
          developmentLanguage: en
          sounds: [chime.aiff]
          images: [Default.png]
          launchImage: Launch.png
        com.example.other:
          localizations: { fr: strings/fr.lproj/Localizable.strings }
      devices:
        alice: { apps: [com.example.app], languages: [fr, en] }
      """
    )
    let bundle = try #require(scenario.bundles[productionApp])
    #expect(bundle.localizations.map(\.name) == ["Spanish", "en", "fr"])
    #expect(bundle.localizations.last?.strings["GAME_PLAY_REQUEST_FORMAT"] != nil)
    #expect(bundle.developmentLanguage == "en")
    #expect(bundle.resources.sounds == ["chime.aiff"])
    #expect(bundle.resources.images == ["Default.png"])
    #expect(bundle.resources.launchImageFile == "Launch.png")
    #expect(scenario.bundles[sandboxApp] == bundle)
    let other = scenario.bundles[AppKey(topic: "com.example.other", environment: .production)]
    #expect(other?.localizations.map(\.name) == ["fr"])
    #expect(other?.resources.sounds == nil)
    #expect(scenario.devices.first?.languages == ["fr", "en"])
  }

  @Test func `what an app brings along is bounded, and says so`() throws {
    let file = "strings/fr.lproj/Localizable.strings"
    let languages = (1...201).map { "l\($0): \(file)" }.joined(separator: ", ")
    let many = #expect(throws: DocumentError.self) {
      try load("apps: { a: { localizations: { \(languages) } } }")
    }
    #expect(many?.description.contains("expected at most 200 languages for an app, found 201") == true)
    let large = String(repeating: "/* nothing */\n", count: 200_000)
    let folder = try TemporaryDirectory()
    _ = try folder.write("large.strings", large)
    let scenario = try folder.write("s.yaml", "apps: { a: { localizations: { fr: large.strings } } }")
    let refused = #expect(throws: DocumentError.self) { try ScenarioFile.load(scenario) }
    #expect(refused?.description.contains("expected a file of at most 1048576 bytes, found more") == true)
  }

  @Test
  func `what an app brings along is told apart from files that are not there, and from text that is no file`()
    throws
  {
    let missing = #expect(throws: DocumentError.self) {
      try load("apps: { a: { localizations: { fr: nowhere.strings } } }")
    }
    #expect(missing?.description.contains("nowhere.strings of fr cannot be read: No such file") == true)
    let empty = #expect(throws: DocumentError.self) { try load("apps: { a: { localizations: nowhere } }") }
    #expect(empty?.description.contains("nowhere cannot be read") == true)
    #expect(
      findings(in: "apps: { a: { localizations: strings } }").first?.contains("only in a scenario file")
        == true
    )
    #expect(findings(in: "apps: { a: { sounds: x } }").first?.contains("a list of sound files") == true)
    #expect(findings(in: "apps: { a: { sound: [x] } }").first?.contains("→ sounds") == true)
  }
}
