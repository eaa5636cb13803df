import APNSimCore
import Testing

@Suite struct `The current localization` {
  @Test(
    arguments: [
      (["fr", "en"], "fr"),
      (["de", "fr"], "fr"),
      (["fr-CA"], "fr"),
      (["pt-BR"], "pt-BR"),
      (["pt_br"], "pt-BR"),
      (["zh-Hans-CN"], "zh-Hans"),
      (["es-MX"], "Spanish"),
      (["Spanish"], "Spanish"),
      (["FR"], "fr"),
      (["pt"], "en"),
      (["de"], "en"),
      ([], "en"),
    ] as [([String], String)]
  )
  func `the current localization is the first preferred language that the app has, else English`(
    preferred: [String],
    current: String
  ) {
    let localization = Localization(preferred: preferred, languages: languages)
    #expect(localization.current?.name == current)
  }

  @Test func `the current localization falls back to the development language before English`() {
    let localization = Localization(preferred: ["de"], languages: languages, developmentLanguage: "fr")
    #expect(localization.current?.name == "fr")
  }

  @Test func `an app without English has its first localization, and one without any has none`() {
    #expect(Localization(preferred: ["de"], languages: [languages[1]]).current?.name == "pt-BR")
    #expect(Localization(preferred: ["de"]).current == nil)
  }

  @Test func `the current localization is the only one that is asked`() {
    let localization = Localization(
      preferred: ["fr", "en"],
      languages: [
        .init("fr", LocalizableStrings(["A": "un"])),
        .init("en", LocalizableStrings(["A": "one", "B": "two"])),
      ]
    )
    #expect(localization.current?.strings["A"] == "un")
    #expect(localization.current?.strings["B"] == nil)
  }

  private var languages: [Localization.Language] {
    ["fr", "pt-BR", "zh-Hans", "Spanish", "en"].map { .init($0, LocalizableStrings()) }
  }
}
