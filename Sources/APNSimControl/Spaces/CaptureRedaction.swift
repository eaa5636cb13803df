package import APNSimCapture

/// The redaction of captures that the control API serves.
package struct CaptureRedaction: Sendable {
  let pseudonyms: TokenPseudonyms
  /// True to redact unless a request says otherwise.
  let isUsual: Bool

  package init(_ pseudonyms: TokenPseudonyms, isUsual: Bool) {
    self.pseudonyms = pseudonyms
    self.isUsual = isUsual
  }

  /// Makes the redactor for one capture; nil if it is not to be redacted.
  /// - Parameter asked: the request's choice, if it has one.
  func redactor(_ asked: Bool?) -> JournalRedactor? {
    asked ?? isUsual ? JournalRedactor(pseudonyms) : nil
  }
}
