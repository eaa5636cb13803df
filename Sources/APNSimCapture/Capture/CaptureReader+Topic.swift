extension CaptureReader {
  /// The topic that the line of the last entry names: a notification's line does.
  package var topic: String? { withLine { fields, _ in fields.string("topic") } }
}
