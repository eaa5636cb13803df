import APNSimProvider

/// Says why a control API could not be reached, where it was looked for, and how to start one.
enum ControlFailure {
  static func unreachable(_ error: any Error, _ target: ControlTarget) -> CommandFailure {
    CommandFailure(
      .unreachable,
      "there is no apnsim at \(target.url): \(ProviderFailure.words(error))",
      hints: [hint(target)]
    )
  }

  private static func hint(_ target: ControlTarget) -> String {
    let start = "\"apnsim serve\" starts one; --control URL or APNSIM_CONTROL_URL says where it is"
    return target.source == "the default" ? start : "the address is from \(target.source); \(start)"
  }
}
