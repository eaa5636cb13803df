import APNSimCore
import APNSimProvider
import Testing

@testable import apnsim

@Suite struct `What a device prints` {
  @Test func `an app is a topic with its environment and token`() {
    #expect(AppArgument(argument: "com.a")?.topic == "com.a")
    #expect(AppArgument(argument: "com.a:sandbox")?.environment == .sandbox)
    let full = AppArgument(argument: "com.a:production=ab01")
    #expect(full?.environment == .production && full?.token == [0xAB, 0x01])
    for wrong in ["", ":sandbox", "com.a:test", "com.a=xyz", "com.a="] {
      #expect(AppArgument(argument: wrong) == nil, "\(wrong)")
    }
    let apps = [full, AppArgument(argument: "b")].compactMap(\.self)
    #expect(
      String(decoding: AppArgument.line(apps, languages: ["fr"]), as: UTF8.self)
        == #"{"apps":[{"topic":"com.a","environment":"production","token":"ab01"},{"topic":"b"}],"#
        + #""languages":["fr"]}"# + "\n"
    )
  }

  @Test func `a notification that a device cannot read says so`() {
    let line = DeviceLine(#"{"notification":{"id":"n1","presentation":null}}"#.utf8)
    #expect(line.text(.plain).last == "  (the device cannot read it)")
  }

  @Test func `text from a payload cannot command the terminal`() {
    let line = DeviceLine(
      (#"{"notification":{"presentation":{"alert":{"text":"a\u001b[31mb\nc","buttons":["\u0007"]},"#
        + #""badge":0,"sound":"default"}}}"#).utf8
    )
    let lines = line.text(.plain)
    #expect(lines.dropFirst() == ["  a\u{FFFD}[31mb", "  c", "  [\u{FFFD}]", "  no badge · sound default"])
  }
}
