import ArgumentParser

/// The device that a command is about, and the server it is of.
struct DeviceNameOptions: ParsableArguments {
  @Argument(help: "The device's name, or one of its tokens.") var device: String

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions

  /// Brings it `online` or takes it `offline`.
  func bring(_ state: String) async throws {
    let answer = try await control.client().json(ControlRequest(.post, "devices", device, state))
    output.confirm(answer, "\(device) is \(state)")
  }
}
