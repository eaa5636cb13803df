import APNSimCore
import APNSimScenario
import Testing

@Suite struct `Settings in files` {
  private let settings =
    KnownSetting.core + [
      KnownSetting(name: "gatewayPort", values: "a port") { Int($0) == nil ? "a port from 0 to 65535" : nil }
    ]

  @Test func `a configuration file may have settings of core and server`() throws {
    let found = try ConfigurationFile.parse(
      "payload: lenient\ngatewayPort: 2195\nquirk: [silentParseErrors, splitErrorPacket]\n",
      name: "c.yaml",
      settings: settings
    )
    #expect(
      found == [
        SettingAssignment(name: "payload", text: "lenient"),
        SettingAssignment(name: "gatewayPort", text: "2195"),
        SettingAssignment(name: "quirk", text: "silentParseErrors,splitErrorPacket"),
      ]
    )
  }

  @Test func `mistakes in a file of settings are those of a scenario`() throws {
    let error = try #require(throws: DocumentError.self) {
      try ConfigurationFile.parse("paylod: strict\ngatewayPort: high", name: "c.yaml", settings: settings)
    }
    #expect(
      error.description == """
        c.yaml:1:1: error: unknown setting "paylod"
          paylod: strict
          ^~~~~~
          did you mean "payload"?
        c.yaml:2:14: error: gatewayPort: expected a port from 0 to 65535, found "high"
          gatewayPort: high
                       ^~~~
        """
    )
  }

  @Test func `a missing file says so`() throws {
    let error = try #require(throws: DocumentError.self) {
      try ConfigurationFile.load("/nonexistent/c.yaml", settings: settings)
    }
    #expect(error.description == "/nonexistent/c.yaml: error: cannot be read: No such file or directory")
    #expect(throws: DocumentError.self) { try ScenarioFile.load("/") }
  }

  @Test(arguments: [
    ("badgeAbsent", "--badge-absent", "APNSIM_BADGE_ABSENT"), ("payload", "--payload", "APNSIM_PAYLOAD"),
    ("clientCA", "--client-ca", "APNSIM_CLIENT_CA"), ("tlsMin", "--tls-min", "APNSIM_TLS_MIN"),
  ])
  func `a setting has one name in three spellings`(name: String, flag: String, variable: String) {
    #expect(SettingName(name).flag == flag)
    #expect(SettingName(name).variable == variable)
  }
}
