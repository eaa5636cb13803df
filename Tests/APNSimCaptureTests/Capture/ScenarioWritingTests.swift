import APNSimCore
import APNSimScenario
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@testable import APNSimCapture

@Suite struct `A scenario that writes itself` {
  static let files = Fixtures.scenarios.map(\.path)

  @Test func `scenarios to be written out are found in the fixtures`() { #expect(Self.files.count > 30) }

  @Test(arguments: files)
  func `a scenario that is written out reads back as the same value`(path: String) throws {
    var scenario = try ScenarioFile.load(path)
    scenario.bundles = [:]
    scenario.expectations.removeAll { $0.namesConnection }
    var writer = JSONWriter()
    scenario.write(to: &writer)
    let text = String(decoding: writer.bytes, as: UTF8.self)
    let again = try ScenarioFile.parse(text, name: "written")
    #expect(again == scenario)
    var second = JSONWriter()
    again.write(to: &second)
    #expect(second.bytes == writer.bytes)
  }

  @Test(arguments: files)
  func `the rules of a scenario read back as the same commands`(path: String) throws {
    let device = try FaultBody.read(#"{"when":{"device":"bob"},"reply":{"status":8}}"#)
    for rule in try ScenarioFile.load(path).rules + [device] {
      let command = Command.addRule(rule)
      var writer = JSONWriter()
      command.write(to: &writer)
      #expect(try CommandReader.read(writer.bytes) == command)
    }
  }

  @Test(arguments: ["real", "virtual", "virtual@2012-06-01T00:00:00Z"])
  func `a scenario that is written out says its clock where it has one to say`(clock: String) throws {
    let scenario = try ScenarioFile.parse("clock: \(clock)", name: "test.yaml")
    var writer = JSONWriter()
    scenario.write(to: &writer)
    #expect(
      try ScenarioFile.parse(String(decoding: writer.bytes, as: UTF8.self), name: "written") == scenario
    )
    var silent = JSONWriter()
    Scenario().write(to: &silent)
    #expect(String(decoding: silent.bytes, as: UTF8.self) == #"{"version":1}"#)
  }

  @Test(.mustNotHang)
  func `a scenario that is written out says each of very many apps once, in the order in which they came`() {
    var scenario = Scenario()
    let topics = (0..<30_000).map { "com.example.app\($0)" }
    scenario.apps = topics.map { AppKey(topic: $0, environment: .sandbox) }
    scenario.apps += topics.suffix(29_999).map { AppKey(topic: $0, environment: .production) }
    var writer = JSONWriter()
    scenario.write(to: &writer)
    let apps = (try? JSONValue.parse(writer.bytes))?.member("apps")?.objectValue ?? []
    #expect(apps.map(\.key) == topics)
    #expect(apps.prefix(2).map { $0.value["environment"] } == [.string("sandbox"), .string("both")])
  }

  private static let app = AppKey(topic: "com.example.app", environment: .sandbox)
  private static let specification = DeviceSpecification(
    name: "bob \"the\" 1",
    isOnline: false,
    apps: [
      AppSpecification(app: app, token: [1, 2, 3], isInstalled: false),
      AppSpecification(app: AppKey(topic: "b", environment: .production)),
    ],
    languages: ["pt-BR", "en"]
  )

  private static let commands: [Command] = [
    .putDevice(specification), .putDevice(DeviceSpecification(name: "")), .removeDevice("bob"),
    .changeDevice(DeviceChange(device: "bob", isOnline: true)),
    .setOnline(device: "bob", true), .setOnline(device: "bob", false),
    .setInstalled(device: "bob", app: nil, true), .setInstalled(device: "bob", app: app, false),
    .removeApp(device: "bob", app),
    .addFeedback(FeedbackSpecification(subject: .device("bob"), app: app, moment: .after(.minutes(3)))),
    .addFeedback(
      FeedbackSpecification(
        subject: .token([9, 0xAB]),
        app: app,
        moment: .at(Timestamp(seconds: 1_338_508_800))
      )
    ),
    .clearFeedback(nil), .clearFeedback(app), .advanceClock(.days(2)),
    .setClock(Timestamp(seconds: 1_338_508_800)), .freezeClock, .resumeClock, .clearHistory,
    .removeRule("r1"),
    .addChannel(ChannelSpecification(app: app)),
    .addChannel(
      ChannelSpecification(app: app, id: "AAA=", storagePolicy: .none, subscribers: ["bob", "eve"])
    ),
    .deleteChannel(ChannelReference(id: "AAA=")), .deleteChannel(ChannelReference(id: "AAA=", app: app)),
    .setSubscribed(device: "bob", ChannelReference(id: "AAA=", app: app), true),
    .setSubscribed(device: "bob", ChannelReference(id: "AAA="), false),
    .startActivity(
      ActivitySpecification(
        device: "bob",
        app: app,
        attributesType: "S",
        token: [1],
        channel: "AAA=",
        attributes: Array(#"{"a":[1.50,"x"]}"#.utf8),
        contentState: Array("{}".utf8)
      )
    ), .startActivity(ActivitySpecification(device: "bob", app: app, attributesType: "S")),
    .setBroadcast(bundleId: "b", true), .setBroadcast(bundleId: "b", false),
    // A command that a simulator refuses is recorded, and refused again.
    .putDevice(
      DeviceSpecification(
        name: String(repeating: "n", count: 300),
        apps: [
          AppSpecification(app: AppKey(topic: "white space", environment: .production), token: []),
          AppSpecification(app: app, token: Array(repeating: 7, count: 101)), AppSpecification(app: app),
        ]
      )
    ),
    .changeDevice(
      DeviceChange(device: "bob", apps: .exactly(Array(repeating: AppSpecification(app: app), count: 300)))
    ),
    .changeDevice(DeviceChange(device: "bob", apps: .every(DeviceChange.AppState(token: .given([]))))),
    .changeDevice(
      DeviceChange(
        device: "bob",
        apps: .one(topic: "", environment: nil, DeviceChange.AppState(token: .issued, isInstalled: true)),
        languages: []
      )
    ),
    .addFeedback(
      FeedbackSpecification(subject: .token([]), app: app, moment: .at(Timestamp(seconds: -1)))
    ),
    .setBroadcast(bundleId: "white space", true), .deleteChannel(ChannelReference(id: "no Base64")),
    .addChannel(ChannelSpecification(app: AppKey(topic: "a.voip.voip", environment: .sandbox), id: "")),
    .startActivity(
      ActivitySpecification(
        device: "",
        app: app,
        attributesType: "",
        token: [],
        channel: "?",
        attributes: Array((#"{"a":""# + String(repeating: "x", count: 5000) + #""}"#).utf8)
      )
    ),
    .rotateTokens(device: "bob", app: nil), .rotateTokens(device: "bob", app: app),
    .clearRules, .endConnection(ConnectionID(rawValue: 7), .reset), .reset, .replaceScenario(Scenario()),
  ]

  @Test func `the scenarios in the fixtures have commands of every name`() {
    // Rules are those of the fixtures.
    #expect(Set(Self.commands.map(\.name)).union([.ruleAdd]) == Set(CommandName.allCases))
  }

  @Test(arguments: commands)
  func `the commands that steer a scenario read back as the same values`(command: Command) throws {
    var writer = JSONWriter()
    command.write(to: &writer)
    #expect(try CommandReader.read(writer.bytes) == command)
  }

  @Test(arguments: files)
  func `the commands of a scenario read back as the same values`(path: String) throws {
    for entry in try ScenarioFile.load(path).timeline {
      guard case .perform(let command) = entry.action else { continue }
      var writer = JSONWriter()
      command.write(to: &writer)
      #expect(try CommandReader.read(writer.bytes) == command)
    }
  }
}
