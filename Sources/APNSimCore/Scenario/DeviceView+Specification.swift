extension DeviceView {
  /// The device as it is, to be put again.
  var specification: DeviceSpecification {
    DeviceSpecification(
      name: name,
      isOnline: isOnline,
      apps: apps.map { AppSpecification(app: $0.app, token: $0.token, isInstalled: $0.isInstalled) },
      languages: languages
    )
  }
}
