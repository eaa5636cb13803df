import APNSimWire

/// One condition on a payload, tested on its bytes where that is the same as testing its value.
///
/// A class, as is `ValueTest`: going through a query's tests must not copy all that they are made of.
final class PayloadTest: Sendable {
  private let path: String
  private let test: ValueTest
  private let finder: JSONPathFinder
  /// Finds the text of an alert that is a dictionary; nil where the condition is not about the alert.
  private let bodyFinder: JSONPathFinder?

  /// - Parameter path: a path into the payload; nil for the alert's text.
  init(path: String?, matcher: Matcher) {
    self.path = path ?? AlertText.path
    test = ValueTest(matcher)
    finder = JSONPathFinder(self.path)
    bodyFinder = path == nil ? JSONPathFinder(AlertText.body) : nil
  }

  /// - Parameter isJSON: the payload is known to be JSON.
  func matches(_ payload: UnsafeRawBufferPointer, isJSON: Bool) -> Bool {
    guard isJSON, payload.count > 0 else { return matchesTree(payload) }
    if JSONPathFinder.isUTF8(payload), test.isHopeless(in: payload) { return false }
    switch finder.find(in: payload) {
    case .unsure: return matchesTree(payload)
    case .absent: return test.passesNothing
    case .at(let range):
      let value = UnsafeRawBufferPointer(rebasing: payload[range])
      guard let bodyFinder, value.first == UInt8(ascii: "{") else { return test.matches(json: value) }
      // A value that is no text there leaves the whole dictionary to be looked at.
      guard case .at(let body) = bodyFinder.find(in: value), value[body.lowerBound] == UInt8(ascii: "\"")
      else {
        return matchesTree(payload)
      }
      return test.matches(json: UnsafeRawBufferPointer(rebasing: value[body]))
    }
  }

  private func matchesTree(_ payload: UnsafeRawBufferPointer) -> Bool {
    let tree = try? JSONValue.parse(payload)
    return test.matches(bodyFinder == nil ? tree?[path] : tree.flatMap { AlertText($0)?.value })
  }
}
