/// Scans a payload in UTF-8 in one loop, and gathers the findings about `aps` on the way.
enum PayloadScanner {
  /// Judges `text` and writes problem, offset and facts into the verdict.
  @inline(never)
  static func judge(_ text: IndexedText, rules: PayloadRules, into verdict: inout PayloadVerdict) {
    let capacity = JSONNesting.outerCapacity + PayloadFindings.capacity
    withUnsafeTemporaryAllocation(of: Int.self, capacity: capacity) { scratch in
      let scratch = scratch.baseAddress.unsafelyUnwrapped
      var notes = JSONNotes()
      var findings = PayloadFindings(wrongOffsets: scratch + JSONNesting.outerCapacity)
      let rootOffset = text.token(from: 0, &notes)
      let nesting = JSONNesting(outer: scratch, limit: rules.depthLimit)
      let isJSON = scan(text, from: rootOffset, nesting, &notes, &findings)
      (verdict.problem, verdict.offset) =
        isJSON ? findings.problem(rules: rules, rootOffset: rootOffset) : (notes.problem, notes.place)
      verdict.isPlain = isJSON && notes.unusual == 0
      findings.tell(&verdict.facts, notes)
    }
  }

  /// Scans by the grammar of RFC 4627, from the first character of a text to its end. Returns true if the text is
  /// JSON; if not, the notes have the reason and the offset.
  ///
  /// The place in the document is one number, `level`: how many of the open containers lie on the path root, `aps`,
  /// `alert`, `loc-args`. While it equals the depth, the names of the innermost container mean something.
  ///
  /// State that changes with each token is in local variables, and so in registers; state that changes rarely is in
  /// memory, in `notes` and `findings`. That is why this is a function of its own.
  @inline(never)
  private static func scan(
    _ text: IndexedText,
    from start: Int,
    _ nesting: JSONNesting,
    _ notes: inout JSONNotes,
    _ findings: inout PayloadFindings
  ) -> Bool {
    var (nesting, at, level) = (nesting, start, 0)
    var (key, expected) = (PayloadKey.root, PayloadProblem.expectedRoot)
    while true {
      // A value: that of `key`.
      var isFirst = false
      switch text[at] {
      case UInt8(ascii: "\""):
        findings.note(.string, of: key, at: at)
        guard let end = text.endOfString(at: at, &notes) else { return false }
        at = end
      case UInt8(ascii: "{"):
        if findings.note(.object, of: key, at: at) { level = nesting.depth &+ 1 }
        guard nesting.open(isObject: true) else { return notes.fail(.tooDeep, at: at) }
        at &+= 1
        isFirst = true
      case UInt8(ascii: "["):
        if findings.note(.array, of: key, at: at) { level = nesting.depth &+ 1 }
        guard nesting.open(isObject: false) else { return notes.fail(.tooDeep, at: at) }
        at &+= 1
        isFirst = true
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        findings.note(.number, of: key, at: at)
        guard let end = text.endOfNumber(at: at, &notes) else { return false }
        findings.noteNumber(text[at..<end], of: key)
        at = end
      case UInt8(ascii: "t"), UInt8(ascii: "f"):
        findings.note(.boolean, of: key, at: at)
        guard let end = text.endOfLiteral(at: at, &notes) else { return false }
        at = end
      case UInt8(ascii: "n"):
        findings.note(.null, of: key, at: at)
        if case .other = key, level < PayloadLevel.aps.rawValue { findings.hasCustomNull = true }
        guard let end = text.endOfLiteral(at: at, &notes) else { return false }
        at = end
      default: return notes.fail(expected, at: at)
      }

      // Closes every container that ends here.
      at = text.token(from: at, &notes)
      while nesting.depth > 0, text[at] == nesting.closing {
        nesting.close()
        level = min(level, nesting.depth)
        isFirst = false
        at = text.token(from: at &+ 1, &notes)
      }
      guard nesting.depth > 0 else { return at == text.count || notes.fail(.expectedEnd, at: at) }

      // Moves to the next value of the innermost open container.
      if !isFirst {
        guard text[at] == UInt8(ascii: ",") else { return notes.fail(nesting.expectedSeparator, at: at) }
        at = text.token(from: at &+ 1, &notes)
      }
      guard nesting.isObject else {
        key = nesting.depth == level ? .locArg : .other
        expected = isFirst ? .expectedFirstElement : .expectedElement
        continue
      }
      guard text[at] == UInt8(ascii: "\"") else { return notes.fail(.expectedKey(isFirst: isFirst), at: at) }
      let unusual = notes.unusual
      guard let end = text.endOfString(at: at, &notes) else { return false }
      key = .other
      if nesting.depth == level {
        key = PayloadKey(name: text[at &+ 1..<end &- 1], isPlain: notes.unusual == unusual, level: level)
        if level == PayloadLevel.alert.rawValue { findings.noteAlertKey(key) }
        if case .other = key { findings.noteOther(text, from: at &+ 1, to: end &- 1, level: level) }
      }
      at = text.token(from: end, &notes)
      guard text[at] == UInt8(ascii: ":") else { return notes.fail(.expectedColon, at: at) }
      at = text.token(from: at &+ 1, &notes)
      expected = .expectedMember
    }
  }
}

extension PayloadProblem {
  @inline(__always)
  fileprivate static func expectedKey(isFirst: Bool) -> PayloadProblem {
    isFirst ? .expectedFirstKey : .expectedKey
  }
}

/// The containers on the path that matters, by their depth.
enum PayloadLevel: Int {
  case root = 1
  case aps, alert, locArgs
}
