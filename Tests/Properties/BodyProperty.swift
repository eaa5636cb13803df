import APNSimCore
import APNSimScenario

/// The body of a request to the control API is refused in few words, with a pointer to each place, or says the same
/// twice and can be carried out.
///
/// The first byte chooses what is requested, the rest is the body.
enum BodyProperty {
  private static let start = Timestamp(seconds: 1_338_508_800)

  /// The commands that a body asks for; nothing where nothing is to be done.
  private static func read(_ choice: UInt8, _ text: String) throws(DocumentError) -> [Command] {
    switch choice % 12 {
    case 0: return [.putDevice(try DeviceBody.put(text, name: "bob"))]
    case 1: return [.changeDevice(try DeviceBody.patch(text, device: "bob"))]
    case 2:
      return [
        try DeviceBody.installation(text, device: "bob", isInstalled: true),
        .changeDevice(try DeviceBody.patch(#"{"token":"issued"}"#, device: "bob")),
      ]
    case 3: return [.addFeedback(try FeedbackBody.read(text))]
    case 4: return [.addRule(try FaultBody.read(text))]
    case 5:
      _ = CompiledQuery(try WaitBody.read(text).query)
      return []
    case 6: return [.replaceScenario(try SandboxBody.read(text, serverSettings: []))]
    case 7: return [.advanceClock(try ClockBody.advance(text))]
    case 8: return [.setClock(try ClockBody.set(text))]
    case 9: return [.addChannel(try ChannelBody.create(text))]
    case 10:
      let channel = ChannelSpecification(
        app: AppKey(topic: "com.example.app", environment: .production),
        id: "AAAA"
      )
      return [
        .addChannel(channel), try ChannelBody.subscription(text, device: "bob", isSubscribed: true),
      ]
    default: return [try ActivityBody.start(text, device: "bob")]
    }
  }

  static func violation(_ input: [UInt8]) -> String? {
    guard let choice = input.first else { return nil }
    let text = String(decoding: input.dropFirst().prefix(16_384), as: UTF8.self)
    let commands: [Command]
    do throws(DocumentError) { commands = try read(choice, text) } catch {
      guard !error.problems.isEmpty else { return "refused without a reason" }
      return error.description.utf8.count <= 65_536
        ? nil : "a refusal of \(error.description.utf8.count) bytes"
    }
    guard (try? read(choice, text)) == commands else { return "read twice, the requests differ" }
    return carryOut(commands)
  }

  /// Does what was asked, and then what a day brings.
  private static func carryOut(_ commands: [Command]) -> String? {
    var scenario = Scenario()
    scenario.clock = .virtual(start: start)
    let app = AppSpecification(app: AppKey(topic: "com.example.app", environment: .production))
    scenario.devices = [DeviceSpecification(name: "bob", apps: [app])]
    guard
      let simulator = try? Simulator(
        configuration: Configuration(),
        scenario: scenario,
        seed: 1,
        start: start
      )
    else { return "the simulator did not start" }
    for command in commands {
      do throws(CommandError) { try simulator.perform(command, at: start) } catch {
        guard !error.description.isEmpty else { return "refused without a reason" }
      }
    }
    _ = try? simulator.perform(.advanceClock(.hours(24)), at: start)
    return simulator.devices().count <= 100_000 ? nil : "devices without bound"
  }
}
