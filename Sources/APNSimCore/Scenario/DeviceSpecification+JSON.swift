package import APNSimWire

extension DeviceSpecification {
  /// As under a device's name in `devices`: `{"online":true,"apps":[{"topic":"com.example.app",…}]}`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("online", isOnline)
    writer.key("apps")
    apps.write(to: &writer)
    if !languages.isEmpty {
      writer.member("languages", languages)
    }
    writer.endObject()
  }
}

extension [AppSpecification] {
  /// As a device's `apps`.
  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for app in self {
      writer.beginObject()
      app.app.writeMembers(to: &writer)
      if let token = app.token {
        writer.member("token", hex: token)
      }
      writer.member("installed", app.isInstalled)
      writer.endObject()
    }
    writer.endArray()
  }
}

extension FeedbackSpecification {
  /// As an entry of `feedback`: `{"device":"alice","app":"com.example.app","environment":"production","after":"1h"}`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch subject {
    case .device(let name):
      writer.member("device", name)
    case .token(let token):
      writer.member("token", hex: token)
    }
    app.writeReference(to: &writer)
    switch moment {
    case .at(let moment):
      writer.member("at", moment.description)
    case .after(let span):
      writer.member("after", span.description)
    }
    writer.endObject()
  }
}

extension AppKey {
  /// `"app":"com.example.app","environment":"production"`, in an object that the caller has begun.
  func writeReference(to writer: inout JSONWriter) {
    writer.member("app", topic)
    writer.member("environment", environment.rawValue)
  }
}
