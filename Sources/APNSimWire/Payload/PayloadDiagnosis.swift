/// A refusal in plain English: the offset, what the rules expect there, and what was found.
package struct PayloadDiagnosis: Hashable, Sendable {
  /// The offset in bytes from the start of the payload as it was sent.
  package var offset: Int
  package var expected: String
  package var found: String

  package init(offset: Int, expected: String, found: String) {
    self.offset = offset
    self.expected = expected
    self.found = found
  }

  /// Describes a verdict; `payload` is the judged payload.
  package init(_ verdict: PayloadVerdict, payload: some Sequence<UInt8>) {
    offset = verdict.offset
    expected = verdict.problem.expectation
    let bytes = Array(payload.dropFirst(verdict.offset).prefix(64))
    found = PayloadExcerpt(bytes, encoding: verdict.facts.encoding).description(for: verdict.problem)
  }
}

extension PayloadDiagnosis: CustomStringConvertible {
  package var description: String { "at offset \(offset): expected \(expected), found \(found)" }
}

extension PayloadProblem {
  /// The requirement of the rules at the offset of the problem.
  fileprivate var expectation: String {
    switch self {
    case .none: "nothing else"
    case .byteOrderMark: "no byte order mark"
    case .invalidUTF8: "well-formed UTF-8"
    case .unpairedSurrogate: "a surrogate pair"
    case .invalidCodePoint: "a Unicode code point"
    case .truncatedCodeUnit: "a whole code unit"
    case .expectedRoot: "a dictionary"
    case .expectedEnd: "the end of the payload"
    case .expectedFirstKey: "a string or '}' after '{'"
    case .expectedKey: "a string after ','"
    case .expectedColon: "':' after a name"
    case .expectedMember: "a value after ':'"
    case .expectedCommaOrObjectEnd: "',' or '}'"
    case .expectedFirstElement: "a value or ']' after '['"
    case .expectedElement: "a value after ','"
    case .expectedCommaOrArrayEnd: "',' or ']'"
    case .unterminatedString: "'\"' to end the string"
    case .controlCharacter: "an escape in place of a control character"
    case .invalidEscape: "one of \" \\ / b f n r t u after '\\'"
    case .expectedHexDigit: "four hexadecimal digits after '\\u'"
    case .leadingZero: "no digit after a leading 0"
    case .expectedDigit: "a digit"
    case .invalidLiteral: "true, false or null"
    case .tooDeep: "no deeper nesting"
    case .rootNotObject: "a dictionary as the root"
    case .apsMissing: "a dictionary 'aps' in the root"
    case .apsNotObject: "a dictionary as 'aps'"
    case .alertType: "a string or a dictionary as 'alert'"
    case .badgeType: "a number as 'badge'"
    case .soundType: "a string as 'sound'"
    case .contentAvailableType: "a number as 'content-available'"
    case .bodyType: "a string as 'body'"
    case .actionLocKeyType: "a string or null as 'action-loc-key'"
    case .locKeyType: "a string as 'loc-key'"
    case .locArgsType: "an array of strings as 'loc-args'"
    case .locArgType: "only strings in 'loc-args'"
    case .launchImageType: "a string as 'launch-image'"
    }
  }
}
