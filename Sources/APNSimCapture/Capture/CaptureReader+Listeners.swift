package import APNSimCore

extension CaptureReader {
  /// The topic that the line of the last entry names: a notification's line does.
  package var topic: String? { withLine { fields, _ in fields.string("topic") } }

  /// True for a file, which can be read again; false for a pipe.
  package static func canBeReread(_ path: String) -> Bool { CaptureFile.canBeReread(path) }

  /// The listeners of the connections from here to the capture's end, by which the entries are used up.
  package func listeners() -> Set<Listener> {
    var found: Set<Listener> = []
    var line = NotificationLine()
    while let isNotification = advance(&line) {
      if isNotification {
        found.insert(.gateway)
        continue
      }
      guard let entry = present() else { break }
      switch entry.kind {
      case .connectionOpened(let connection): found.insert(connection.listener)
      case .bytesIn(_, _, _, .some): found.insert(answer == nil ? .gateway : .http2)
      default: break
      }
    }
    return found
  }
}
