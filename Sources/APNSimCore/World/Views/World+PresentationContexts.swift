extension World {
  /// The context in which a notification for a registration is shown.
  func presentationContext(of registration: UInt32) -> PresentationContext {
    let known = devices.registrations[registration]
    return PresentationContext(
      bundle: setup.scenario.bundles[apps[known.app].key] ?? AppBundle(),
      languages: devices.languages(of: known.device),
      badgeAbsent: configuration.badgeAbsent
    )
  }
}
