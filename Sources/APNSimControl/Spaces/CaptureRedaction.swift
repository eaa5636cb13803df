package import APNSimCapture

/// How captures are redacted that the control API hands out.
package struct CaptureRedaction: Sendable {
  let pseudonyms: TokenPseudonyms
  /// Whether they are where a request does not say.
  let isUsual: Bool

  package init(_ pseudonyms: TokenPseudonyms, isUsual: Bool) {
    self.pseudonyms = pseudonyms
    self.isUsual = isUsual
  }

  /// What redacts one capture; nil where it is to stay as it is.
  /// - Parameter asked: what the request says.
  func redactor(_ asked: Bool?) -> JournalRedactor? {
    asked ?? isUsual ? JournalRedactor(pseudonyms) : nil
  }
}
