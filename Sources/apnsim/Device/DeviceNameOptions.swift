import ArgumentParser

/// The device that a command is about, and the server it is of.
struct DeviceNameOptions: ParsableArguments {
  @Argument(help: "Its name, or one of its tokens.") var device: String

  @OptionGroup var control: ControlOptions
  @OptionGroup var output: OutputOptions
}
