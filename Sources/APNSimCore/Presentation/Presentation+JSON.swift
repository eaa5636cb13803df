package import APNSimWire

extension Presentation {
  /// Writes the members of the presentation object, which the caller has begun:
  ///
  ///     {"alert":{"text":"Jenna and Frank have invited you to play Monopoly","buttons":["Close","View"],
  ///      "language":"en"},"badge":null,"sound":"chime","launchImage":"Default.png","contentAvailable":false,
  ///      "custom":{"acme":"foo"},"remarks":[]}
  ///
  /// `alert` is null when there is none. `badge` is the number that is set, 0 when the badge is removed and null
  /// when it stays. `sound` is a file, `"default"` or null. `launchImage` is null when no button launches the app.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.key("alert")
    if let alert { alert.write(to: &writer) } else { writer.null() }
    writer.key("badge")
    switch badge {
    case .set(let number): writer.int(number)
    case .removed: writer.int(0)
    case .unchanged: writer.null()
    }
    writer.key("sound")
    switch sound {
    case .silent: writer.null()
    case .standard: writer.string("default")
    case .file(let name): writer.string(name)
    }
    writer.member("launchImage", launchImage)
    writer.member("contentAvailable", isContentAvailable)
    writer.key("custom")
    writer.value(.object(custom))
    writer.member("remarks", remarks)
  }
}

extension Presentation.Alert {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("text", text)
    writer.member("buttons", buttons)
    writer.member("language", language)
    writer.endObject()
  }
}
