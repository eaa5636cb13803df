/// The query parameters of a request, each name known and given once.
struct QueryParameters: Sendable {
  private var values: [String: String] = [:]

  /// - Parameter known: the names of the route's parameters.
  /// - Throws: `ProblemDetails` 400 that names the parameter.
  init(_ text: String?, known: [String]) throws(ProblemDetails) {
    for part in (text ?? "").split(separator: "&") {
      let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard
        let name = PercentEncoding.decode(pieces[0], plusIsSpace: true),
        let value = PercentEncoding.decode(pieces.count > 1 ? pieces[1] : "", plusIsSpace: true)
      else {
        throw .parameter("\(pieces[0])", "expected percent-encoded UTF-8, found \"\(part)\"")
      }
      guard known.contains(name) else {
        let names =
          known.isEmpty ? "this path has none" : "known parameters: \(known.joined(separator: ", "))"
        throw .parameter(name, "unknown query parameter \"\(name)\"; \(names)")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw .parameter(name, "\"\(name)\" is given twice")
      }
    }
  }

  subscript(name: String) -> String? { values[name] }

  /// The value of a parameter; nil if it is not given.
  /// - Parameter expected: a description of valid values, for people.
  func value<Value>(
    _ name: String,
    _ expected: @autoclosure () -> String,
    _ read: (String) -> Value?
  ) throws(ProblemDetails) -> Value? {
    guard let text = values[name] else { return nil }
    guard let value = read(text) else {
      throw .parameter(name, "expected \(expected()), found \"\(text)\"")
    }
    return value
  }

  /// The value of a parameter that is a whole number within a range.
  func int(_ name: String, in range: ClosedRange<Int>, default usual: Int) throws(ProblemDetails) -> Int {
    try value(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    } ?? usual
  }

  /// The value of a parameter that is `true` or `false`; false if it is not given.
  func flag(_ name: String) throws(ProblemDetails) -> Bool {
    switch values[name] {
    case nil, "false": return false
    case "true": return true
    case let text?: throw .parameter(name, "expected true or false, found \"\(text)\"")
    }
  }
}
