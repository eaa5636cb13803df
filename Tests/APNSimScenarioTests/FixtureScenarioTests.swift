import APNSimCore
import APNSimScenario
import APNSimTestSupport
import Foundation
import Testing

@Suite struct `Scenarios that ship` {
  private static let folder = Fixtures.root.appendingPathComponent("scenarios")
  private static let files = Fixtures.scenarios.map(\.lastPathComponent)

  @Test func `there are scenarios that ship`() {
    #expect(Self.files.count >= 3)
  }

  @Test(arguments: files) func `each is read and has a name`(file: String) throws {
    let scenario = try ScenarioFile.load(Self.folder.appendingPathComponent(file).path)
    #expect(!scenario.name.isEmpty)
  }

  @Test func `the offline device is off and its clock is virtual`() throws {
    let scenario = try ScenarioFile.load(Self.folder.appendingPathComponent("offline-device.yaml").path)
    #expect(scenario.devices.first { $0.name == "bob" }?.isOnline == false)
    #expect(scenario.clock == .virtual(start: Timestamp(seconds: 1_338_508_800)))
  }

  @Test func `the scripted feedback names devices and bare tokens`() throws {
    let scenario = try ScenarioFile.load(Self.folder.appendingPathComponent("scripted-feedback.yaml").path)
    #expect(scenario.feedback.map(\.subject).prefix(2) == [.device("alice"), .device("dave")])
    #expect(scenario.feedback.map(\.moment).dropFirst().first == .after(.hours(1)))
  }
}
