import APNSimCore
import Testing

@testable import APNSimScenario

@Suite struct `Mistakes in recorded commands` {
  /// A command, the place of its mistake, and what is said of it.
  struct Mistake: CustomTestStringConvertible {
    let json: String
    let pointer: String
    let message: String

    init(_ json: String, _ pointer: String, _ message: String) {
      (self.json, self.pointer, self.message) = (json, pointer, message)
    }

    var testDescription: String { json }
  }

  static let mistakes = [
    Mistake(#"{"moon.rise":"x"}"#, "/moon.rise", #"unknown command "moon.rise""#),
    Mistake(
      #"{"device.onlin":"bob"}"#,
      "/device.onlin",
      #"unknown command "device.onlin"; did you mean "device.online"?"#
    ),
    Mistake("{}", "", "expected a command, such as { device.online: bob }, found an empty mapping"),
    Mistake("[]", "", "expected a command, such as { device.online: bob }, found a list"),
    Mistake(#"{"clock.freeze":true,"reset":true}"#, "/reset", "expected one command, found 2"),
    Mistake(
      #"{"device.add":{"bob":{},"eve":{}}}"#,
      "/device.add",
      "expected one command, found 2"
    ),
    Mistake(
      #"{"device.online":["bob"]}"#,
      "/device.online",
      "expected the name of a device, found a list"
    ),
    Mistake(
      #"{"device.add":{"bob":{"apps":{}}}}"#,
      "/device.add/bob/apps",
      "expected a list of apps, such as [com.example.app], found an empty mapping"
    ),
    Mistake(
      #"{"device.add":{"bob":{"apps":[{"environment":"production"}]}}}"#,
      "/device.add/bob/apps/0",
      #"an app of a device needs the key "topic""#
    ),
    Mistake(
      #"{"device.add":{"bob":{"apps":[{"topic":"com.example.app"}]}}}"#,
      "/device.add/bob/apps/0/topic",
      #"the environment of the app "com.example.app" is not named, as it is in every recorded command"#
    ),
    Mistake(
      #"{"device.add":{"b/b":{"apps":[{"topic":"a","environment":"production","token":"abc"}]}}}"#,
      "/device.add/b~1b/apps/0/token",
      "expected an even number of hex digits (64 for the usual token), found 3"
    ),
    Mistake(
      #"{"device.add":{"bob":{"online":"maybe"}}}"#,
      "/device.add/bob/online",
      #"expected true or false for online, found "maybe""#
    ),
    Mistake(
      #"{"device.change":{"device":"bob","onlin":true}}"#,
      "/device.change/onlin",
      "unknown key \"onlin\" in a change of a device; known keys: device, token, apps, online, installed, languages, app "
        + #"and environment; did you mean "online"?"#
    ),
    Mistake(
      #"{"device.change":{"online":true}}"#,
      "/device.change",
      #"a change of a device needs the key "device""#
    ),
    Mistake(
      #"{"device.change":{"device":"bob","apps":[],"app":"com.example.app"}}"#,
      "/device.change/apps",
      #"a change of a device has "apps" or "app", not both"#
    ),
    Mistake(
      #"{"app.remove":{"device":"bob","app":"a","environment":"prod"}}"#,
      "/app.remove/environment",
      #"expected production or sandbox for the environment, found "prod""#
    ),
    Mistake(
      #"{"feedback.add":{"app":"a","environment":"sandbox","after":"1h"}}"#,
      "/feedback.add",
      #"a feedback entry needs "device" or "token""#
    ),
    Mistake(
      #"{"clock.advance":"soon"}"#,
      "/clock.advance",
      #"expected a duration for clock.advance, such as 300ms, 5s, 10m, 2h or 28d, found "soon""#
    ),
    Mistake(
      #"{"clock.freeze":false}"#,
      "/clock.freeze",
      #"expected true for clock.freeze, found "false""#
    ),
    Mistake(
      #"{"connection.end":{"connection":"3","mode":"fin"}}"#,
      "/connection.end/connection",
      #"expected a connection, such as c3, found "3""#
    ),
    Mistake(
      #"{"rule.add":{"when":{"nth":0},"reply":{"status":8}}}"#,
      "/rule.add/when/nth",
      #"expected a whole number of 1 or more for "nth", found 0"#
    ),
    Mistake(
      #"{"scenario.replace":{"devices":{"bob":{"apps":["a"]}},"activities":[{"device":"eve","app":"a","attributesType":"S"}]}}"#,
      "/scenario.replace/activities/0/device",
      #"no device is called "eve""#
    ),
  ]

  @Test(arguments: mistakes)
  func `A mistake in a command has a place, and says what was expected and found`(mistake: Mistake) {
    let error = #expect(throws: CommandReader.Mistake.self) {
      try CommandReader.read(Array(mistake.json.utf8))
    }
    #expect(error?.pointer == mistake.pointer)
    #expect(error?.message == mistake.message)
  }

  @Test func `A command that is cut short is a mistake`() {
    #expect(throws: CommandReader.Mistake.self) { try CommandReader.read(Array(#"{"reset":"#.utf8)) }
  }

  @Test func `Each command that there is has its place in the noun`() {
    #expect(CommandReader.noun.keys == CommandName.allCases.map(\.rawValue))
  }
}
