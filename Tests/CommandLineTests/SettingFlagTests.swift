import APNSimCore
import APNSimScenario
import APNSimServer
import ArgumentParser
import Testing

@testable import apnsim

@Suite struct `Setting flags` {
  @Test func `every setting of the core has a flag`() throws {
    let options = try SettingOptions<CoreFlags>.parse([])
    #expect(options.values.map(\.name) == Setting.all.map(\.name))
  }

  @Test func `every setting of the server has a flag`() throws {
    let options =
      try SettingOptions<PortFlags>.parse([]).values + SettingOptions<ServerFlags>.parse([]).values
    let names = ServerSetting.all.map(\.name).filter { Setting.named($0) == nil }
    #expect(options.map(\.name).filter { $0 != "print" }.sorted() == names.sorted())
  }

  @Test func `every setting of a run has a flag`() throws {
    let options = try SettingOptions<RunFlags>.parse([])
    let others = Set(Setting.all.map(\.name) + ServerSetting.all.map(\.name) + ["print"])
    #expect(options.values.map(\.name) == PlanSetting.all.map(\.name).filter { !others.contains($0) })
  }

  @Test func `a flag sets the setting of its name`() throws {
    let options = try SettingOptions<CoreFlags>.parse([
      "--badge-absent", "clear", "--quirk", "silentParseErrors", "--quirk", "splitErrorPacket,enhanced2048",
      "--feedback-keep", "--magic-tokens", "off",
    ])
    #expect(
      try FlagAssignments.read(options.values) == [
        SettingAssignment(name: "badgeAbsent", text: "clear"),
        SettingAssignment(name: "quirk", text: "silentParseErrors,splitErrorPacket,enhanced2048"),
        SettingAssignment(name: "feedbackKeep", text: "on"),
        SettingAssignment(name: "magicTokens", text: "off"),
      ]
    )
  }

  @Test func `a switch does not swallow what stands after other flags`() throws {
    let options = try SettingOptions<PortFlags>.parse(["--ephemeral", "--print", "json"])
    let given = options.values.filter { $0.text != nil }
    #expect(given.map(\.name) == ["ephemeral", "print"] && given.map(\.text) == ["on", "json"])
  }

  @Test func `no quirk goes with a quirk`() throws {
    #expect(try FlagAssignments.read([("quirk", "none")]).map(\.text) == ["none"])
    for text in ["none,splitErrorPacket", "splitErrorPacket, none", "none,none"] {
      #expect(throws: ValidationError.self) { try FlagAssignments.read([("quirk", text)]) }
    }
  }

  @Test func `a bad value names the flag, what was expected and the nearest value`() {
    let error = #expect(throws: ValidationError.self) {
      try FlagAssignments.read([("badgeAbsent", "keeep")])
    }
    #expect(
      error?.message == "--badge-absent: expected keep or clear, found \"keeep\"; did you mean \"keep\"?"
    )
  }
}
