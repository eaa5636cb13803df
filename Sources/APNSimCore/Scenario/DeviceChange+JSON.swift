internal import APNSimWire

extension DeviceChange {
  /// `{"device":"bob","online":false,"languages":["fr"]}`, with `apps` for exactly these, or with `app` for one of them;
  /// `token` and `installed` are for that one, or for all.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("device", device)
    if let isOnline {
      writer.member("online", isOnline)
    }
    switch apps {
    case .exactly(let apps)?:
      writer.key("apps")
      apps.write(to: &writer)
    case .every(let state)?: state.writeMembers(to: &writer)
    case .one(let topic, let environment, let state)?:
      writer.member("app", topic)
      if let environment {
        writer.member("environment", environment.rawValue)
      }
      state.writeMembers(to: &writer)
    case nil: break
    }
    if let languages {
      writer.member("languages", languages)
    }
    writer.endObject()
  }
}

extension DeviceChange.AppState {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    switch token {
    case .given(let bytes)?: writer.member("token", hex: bytes)
    case .issued?: writer.member("token", "issued")
    case nil: break
    }
    if let isInstalled {
      writer.member("installed", isInstalled)
    }
  }
}
