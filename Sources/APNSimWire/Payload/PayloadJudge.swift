/// Decides whether a payload is what the guide asks for: "a JSON dictionary object that strictly adheres to
/// RFC 4627" with a dictionary `aps` in it, and values of the types of tables 3-1 and 3-2.
///
/// Every notification is judged, so judging is one pass over the bytes, without recursion or allocation. Foundation's
/// parser would not do even if it were fast: it accepts trailing commas and byte order marks, and a number that was
/// `true`.
///
/// Where RFC 4627 leaves a choice:
/// - Of a repeated name the last one counts, and a second `aps` is noted in the facts.
/// - A lone surrogate written as an escape (`"\ud800"`) is grammatical and accepted; one in the bytes themselves
///   (UTF-8 `ed a0 80`, or unpaired UTF-16) is not text and is refused.
/// - Escapes are part of a name: `"\u0061ps"` is `aps`.
/// - Numbers have no range: `1e400` is fine.
/// - More than ``PayloadRules/depthLimit`` open arrays and objects are refused.
/// - UTF-16 and UTF-32 are accepted without a byte order mark, which the grammar has no place for.
package enum PayloadJudge {
  package static func judge(
    _ payload: UnsafeRawBufferPointer,
    rules: PayloadRules = PayloadRules()
  ) -> PayloadVerdict {
    var verdict = PayloadVerdict(problem: .expectedRoot, offset: 0, facts: PayloadFacts())
    judge(payload, rules: rules, into: &verdict)
    return verdict
  }

  /// Judges by all rules, and writes the verdict in place: see ``FrameDecoder/read(_:in:from:mode:)``.
  package static func judge(_ payload: UnsafeRawBufferPointer, into verdict: inout PayloadVerdict) {
    judge(payload, rules: PayloadRules(), into: &verdict)
  }

  @inline(__always)
  private static func judge(
    _ payload: UnsafeRawBufferPointer,
    rules: PayloadRules,
    into verdict: inout PayloadVerdict
  ) {
    guard payload.count > 0 else {
      verdict = PayloadVerdict(problem: .expectedRoot, offset: 0, facts: PayloadFacts())
      return
    }
    // No JSON text in UTF-8 begins with a null among the first two bytes, or with a byte beyond ASCII.
    let first = payload[0]
    if first == 0 || first >= 0x80 || (payload.count > 1 && payload[1] == 0) {
      verdict = judgeUnusual(payload, rules: rules)
      return
    }
    IndexedText.with(payload) { PayloadScanner.judge($0, rules: rules, into: &verdict) }
  }

  @inline(never)
  private static func judgeUnusual(_ payload: UnsafeRawBufferPointer, rules: PayloadRules) -> PayloadVerdict {
    let encoding = PayloadEncoding(detecting: payload)
    var facts = PayloadFacts()
    facts.encoding = encoding
    if startsWithByteOrderMark(payload) {
      return PayloadVerdict(problem: .byteOrderMark, offset: 0, facts: facts)
    }
    guard encoding != .utf8 else { return judgeUTF8(payload, rules: rules) }
    let text = PayloadText(payload, encoding: encoding)
    guard text.problem == .none else {
      return PayloadVerdict(problem: text.problem, offset: text.problemOffset, facts: facts)
    }
    var verdict = text.utf8.withUnsafeBytes { judgeUTF8($0, rules: rules) }
    verdict.facts.encoding = encoding
    verdict.isPlain = false
    verdict.facts.insignificantWhitespace *= encoding.width
    if verdict.problem != .none { verdict.offset = text.originalOffset(of: verdict.offset) }
    return verdict
  }

  /// Judges UTF-8 out of line, so that the scanner is inlined on the hot path and only there.
  @inline(never)
  private static func judgeUTF8(_ text: UnsafeRawBufferPointer, rules: PayloadRules) -> PayloadVerdict {
    var verdict = PayloadVerdict(problem: .none, offset: 0, facts: PayloadFacts())
    IndexedText.with(text) { PayloadScanner.judge($0, rules: rules, into: &verdict) }
    return verdict
  }

  /// True if the payload begins with U+FEFF in any of the five encodings.
  private static func startsWithByteOrderMark(_ payload: UnsafeRawBufferPointer) -> Bool {
    let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE], [0, 0, 0xFE, 0xFF]]
    return marks.contains { payload.starts(with: $0) }
  }
}
