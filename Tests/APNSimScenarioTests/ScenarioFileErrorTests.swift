import APNSimScenario
import Testing

private let alice = "alice: { token: \"\(String(repeating: "aa", count: 32))\", apps: [com.example.app] }"

@Suite struct `Scenario file errors` {
  @Test(arguments: [
    ("version: 2", ["1:10 expected version 1, the only one, found \"2\""]),
    ("name: [a]", ["1:7 expected a name, found a list"]),
    ("seed: -1", ["1:7 expected a whole number from 0 to 18446744073709551615 as the seed, found \"-1\""]),
    ("- a", ["1:1 expected a scenario with \(keys(" or ")), found a list"]),
    ("vresion: 1", ["1:1 unknown key \"vresion\" in a scenario; known keys: \(keys(" and ")) → version"]),
    ("quite-another: 1", ["1:1 unknown key \"quite-another\" in a scenario; known keys: \(keys(" and "))"]),
    ("[1]: 2", ["1:1 expected a name as the key, found a list"]),
  ])
  func `the top level names line and column`(text: String, expected: [String]) {
    #expect(findings(in: text) == expected)
  }

  @Test(arguments: [
    (
      "clock: fast",
      "1:8 expected real, virtual or virtual@TIME (virtual@2012-06-01T00:00:00Z) as the clock, found \"fast\""
    ),
    (
      "clock: { mode: vitual }",
      "1:16 expected real or virtual for the clock's mode, found \"vitual\" → virtual"
    ),
    (
      "clock: { mode: virtual, start: tomorrow }",
      "1:32 expected a time for the clock's start, such as 2012-06-01T00:00:00Z, found \"tomorrow\""
    ),
    ("clock: { mode: real, start: 2012-06-01 }", "1:29 only a virtual clock has a start: use mode: virtual"),
    ("clock: { speed: 2 }", "1:10 unknown key \"speed\" in a clock; known keys: mode and start"),
    ("clock: [real]", "1:8 expected a clock with mode or start, found a list"),
  ])
  func `a bad clock`(text: String, expected: String) {
    #expect(findings(in: text) == [expected])
  }

  @Test(arguments: [
    ("settings: { badge-absent: keep }", "1:13 unknown setting \"badge-absent\" → badgeAbsent"),
    ("settings: { payload: lax }", "1:22 payload: expected strict or lenient, found \"lax\""),
    ("settings: { payload: { a: b } }", "1:22 expected strict or lenient for payload, found a mapping"),
    ("settings: { commands: [1, [2]] }", "1:27 expected a value of commands, found a list"),
    ("settings: 5", "1:11 expected settings as a mapping, such as { payload: lenient }, found \"5\""),
    (
      "settings: { gatewayPort: 0 }",
      """
      1:13 "gatewayPort" is a setting of the server, not of a scenario; \
      give it as --gateway-port, as APNSIM_GATEWAY_PORT, or in a --config file
      """
    ),
  ])
  func `bad settings`(text: String, expected: String) {
    #expect(findings(in: text, serverSettings: ["gatewayPort"]) == [expected])
  }

  @Test(arguments: [
    (
      "apps: [a]",
      "1:7 expected apps as a mapping, such as { com.example.app: { environment: production } }, found a list"
    ),
    (
      "apps: { a: { environment: sandbx } }",
      "1:27 expected production, sandbox or both for the app's environment, found \"sandbx\" → sandbox"
    ),
    (
      "apps: { a: { env: sandbox } }",
      "1:14 unknown key \"env\" in an app; known keys: environment, team, broadcast, activities, localizations, developmentLanguage, "
        + "sounds, images and launchImage"
    ),
    (
      "apps: { 'a b': }",
      "1:9 expected a topic of 1 to 255 bytes without spaces, such as com.example.app, found \"a b\""
    ),
    (
      "apps: { a: production }",
      "1:12 expected an app with environment, team, broadcast, activities, localizations, developmentLanguage, sounds, images or "
        + "launchImage, found \"production\""
    ),
  ])
  func `bad apps`(text: String, expected: String) {
    #expect(findings(in: text) == [expected])
  }

  @Test(arguments: [
    (
      "{ tokn: aa }",
      "1:16 unknown key \"tokn\" in a device; known keys: token, apps, online, installed and languages → token"
    ),
    ("{ online: maybe }", "1:24 expected true or false for online, found \"maybe\""),
    (
      "{ apps: com.example.app }",
      "1:22 expected a list of apps, such as [com.example.app], found \"com.example.app\""
    ),
    (
      "{ token: aabbc, apps: [t] }",
      "1:23 expected an even number of hex digits (64 for the usual token), found 5"
    ),
    ("{ token: aabg, apps: [t] }", "1:23 expected a token in hex digits, found \"g\" as character 4 of 4"),
    ("{ token: '', apps: [t] }", "1:23 expected a token of 1 to 100 bytes, found 0 bytes"),
    ("{ token: [aa], apps: [t] }", "1:23 expected a token in hex digits, found a list"),
    ("{ token: aabb }", "1:23 the token belongs to no app: list its app in \"apps\""),
    ("{ token: aabb, apps: [] }", "1:23 the token belongs to no app: list its app in \"apps\""),
    ("{ apps: [{ environment: sandbox }] }", "1:23 an app of a device needs the key \"topic\""),
    (
      "{ apps: [{ topic: t, tokne: aa }] }",
      """
      1:35 unknown key "tokne" in an app of a device; \
      known keys: topic, environment, token, installed and expires → token
      """
    ),
    (
      "{ apps: [{ topic: t, environment: all }] }",
      "1:48 expected production, sandbox or both for the environment, found \"all\""
    ),
    ("{ apps: [t, { topic: t }] }", "1:26 the app t (production) is on this device twice"),
    ("on", "1:14 expected a device with token, apps, online, installed or languages, found \"on\""),
  ])
  func `a bad device`(device: String, expected: String) {
    #expect(findings(in: "devices: {a: \(device)}") == [expected])
  }

  @Test func `a token longer than any device's is refused`() {
    let token = String(repeating: "ab", count: 101)
    #expect(
      findings(in: "devices:\n  a: { token: \(token), apps: [t] }")
        == ["2:15 expected a token of 1 to 100 bytes, found 101 bytes"]
    )
  }

  @Test func `two devices cannot share a token of one app`() {
    let text = "devices:\n  a: { token: 0A0B, apps: [t] }\n  b: { apps: [{ topic: t, token: 0a0b }, u] }\n"
    #expect(findings(in: text) == ["3:34 this token of t (production) already belongs to \"a\" (line 2)"])
  }

  @Test func `a device's app is one of those listed`() {
    let text = "apps: { com.example.app: }\ndevices: { a: { apps: [com.exmaple.app] } }"
    #expect(
      findings(in: text)
        == ["2:24 the app \"com.exmaple.app\" is not one of this file's apps → com.example.app"]
    )
  }

  @Test(arguments: [
    ("{ device: alise, app: com.example.app, after: 1h }", "3:13 no device is called \"alise\" → alice"),
    (
      "{ device: alice, app: com.example.ap, after: 1h }",
      "3:25 \"alice\" does not have the app \"com.example.ap\" → com.example.app"
    ),
    (
      "{ device: alice, token: aa, app: com.example.app, after: 1h }",
      "3:27 a feedback entry names a device or a token, not both"
    ),
    ("{ app: com.example.app, after: 1h }", "3:3 a feedback entry needs \"device\" or \"token\""),
    ("{ device: alice, after: 1h }", "3:3 a feedback entry needs the key \"app\""),
    (
      "{ device: alice, app: com.example.app }",
      "3:3 a feedback entry needs \"at\" (a time) or \"after\" (a duration)"
    ),
    (
      "{ device: alice, app: com.example.app, at: 2012-06-01, after: 1h }",
      "3:65 a feedback entry has \"at\" or \"after\", not both"
    ),
    (
      "{ device: alice, app: com.example.app, at: 2012-13-01 }",
      "3:46 expected a time for \"at\", such as 2012-06-01T00:00:00Z, found \"2012-13-01\""
    ),
    (
      "{ device: alice, app: com.example.app, at: 1969-12-31T23:59:59Z }",
      "3:46 expected a time for \"at\" from 1970-01-01T00:00:00Z to 2106-02-07T06:28:15Z, found \"1969-12-31T23:59:59Z\""
    ),
    (
      "{ device: alice, app: com.example.app, at: 2106-02-07T06:28:16Z }",
      "3:46 expected a time for \"at\" from 1970-01-01T00:00:00Z to 2106-02-07T06:28:15Z, found \"2106-02-07T06:28:16Z\""
    ),
    (
      "{ device: alice, app: com.example.app, after: 90 }",
      "3:49 expected a duration for \"after\", such as 300ms, 5s, 10m, 2h or 28d, found \"90\""
    ),
    (
      "{ device: alice, app: com.example.app, environment: sandbox, after: 1h }",
      "3:25 the app \"com.example.app\" is not on this device in the sandbox environment"
    ),
    (
      "{ token: a, app: com.example.app, after: 1h }",
      "3:12 expected an even number of hex digits (64 for the usual token), found 1"
    ),
    (
      "com.example.app",
      """
      3:3 expected a feedback entry with device, token, app, environment, at or after, \
      found "com.example.app"
      """
    ),
  ])
  func `bad feedback`(entry: String, expected: String) {
    #expect(findings(in: "devices: { \(alice) }\nfeedback:\n- \(entry)") == [expected])
  }

  @Test func `an app in both environments needs one named in feedback`() {
    let text = """
      apps: { t: { environment: both } }
      feedback: [{ token: aa, app: t, after: 1h }]
      """
    #expect(
      findings(in: text) == ["2:30 the app \"t\" is in both environments: choose one with \"environment\""]
    )
  }

  @Test func `several errors are reported together, in the order of the file`() {
    let text = "feedback: 1\ndevices: { a: { online: 7 } }\nseed: x\nname: [1]"
    #expect(problems(in: text).map(\.location.line) == [1, 2, 3, 4])
  }
}

private func keys(_ word: String) -> String {
  "version, name, description, seed, clock, settings, apps, devices, channels, activities, feedback, timeline, rules, faults, state, "
    + "traffic, expect\(word)until"
}
