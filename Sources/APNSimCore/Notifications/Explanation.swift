package import APNSimWire

/// One line of a notification's explain list: a check that was made, or what was done.
package struct Explanation: Hashable, Sendable {
  package var check: String
  package var isPassed: Bool
  package var detail: String?
  package var hint: String?
}

extension Explanation: JSONObject {
  package static let shape = JSONShape<Self>("Explanation") {
    $0.member("check", "What was checked or done.") { $0.check }
    $0.member("ok") { $0.isPassed }
    $0.optional("detail") { $0.detail }
    $0.optional("hint") { $0.hint }
  }
}
