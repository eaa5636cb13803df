/// Reads a payload in UTF-8 in one loop, and on the way what stands where in `aps`.
enum PayloadScanner {
  /// What is wrong with `text`, and the facts about it.
  @inline(__always)
  static func verdict(on text: UnsafeRawBufferPointer, rules: PayloadRules) -> PayloadVerdict {
    let capacity = JSONNesting.outerCapacity + PayloadFindings.capacity
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: capacity) { scratch in
      guard let base = text.baseAddress, let scratch = scratch.baseAddress else {
        return PayloadVerdict(problem: .expectedRoot, offset: 0, facts: PayloadFacts())
      }
      var cursor = JSONCursor(base: base, count: text.count)
      var findings = PayloadFindings(wrongOffsets: scratch + JSONNesting.outerCapacity)
      cursor.skipWhitespace()
      let rootOffset = cursor.at
      let nesting = JSONNesting(outer: scratch, limit: rules.depthLimit)
      let isJSON = scan(&cursor, nesting, &findings)
      let (problem, offset) =
        isJSON
        ? findings.problem(rules: rules, rootOffset: rootOffset)
        : (cursor.problem, cursor.at)
      return PayloadVerdict(
        problem: problem,
        offset: offset,
        facts: findings.facts(whitespace: cursor.whitespace)
      )
    }
  }

  /// The grammar of RFC 4627, from the first character of a text to its end. Whether the text is JSON; when not,
  /// the cursor says why, and is where.
  ///
  /// The place in the document is one number, `level`: how many of the open containers lie on the path root, `aps`,
  /// `alert`, `loc-args`. While it equals the depth, the names of the innermost container mean something. All state
  /// is local and separate, so that what changes with each token stays in registers.
  @inline(__always)
  private static func scan(
    _ cursor: inout JSONCursor,
    _ nesting: JSONNesting,
    _ findings: inout PayloadFindings
  ) -> Bool {
    var nesting = nesting
    var level = 0
    var key = PayloadKey.root
    var expected = PayloadProblem.expectedRoot
    var next = cursor.byte
    while true {
      // A value: that of `key`. It begins with the byte `next`, which is always the one here.
      guard let kind = JSONKind(startingWith: next) else { return cursor.fail(expected) }
      if case .other = key {
        if case .null = kind, level < PayloadLevel.aps.rawValue { findings.hasCustomNull = true }
      } else if findings.note(kind, of: key, at: cursor.at), kind.isContainer {
        level = nesting.depth &+ 1
      }
      var isFirst = false
      switch kind {
      case .string:
        guard cursor.skipString() else { return false }
      case .object, .array:
        guard nesting.open(isObject: kind.isObject) else { return cursor.fail(.tooDeep) }
        cursor.at &+= 1
        isFirst = true
      case .number:
        let start = cursor.at
        guard cursor.skipNumber() else { return false }
        findings.noteNumber(cursor.text(from: start), of: key)
      case .boolean, .null:
        guard cursor.skipLiteral() else { return false }
      }

      // Out of every container that ends here.
      next = cursor.skipWhitespace()
      while nesting.depth > 0, next == (nesting.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
        nesting.close()
        level = min(level, nesting.depth)
        isFirst = false
        cursor.at &+= 1
        next = cursor.skipWhitespace()
      }
      guard nesting.depth > 0 else { return cursor.at == cursor.count || cursor.fail(.expectedEnd) }

      // On to the next value of the one that does not.
      if !isFirst {
        guard next == UInt8(ascii: ",") else {
          return cursor.fail(nesting.isObject ? .expectedCommaOrObjectEnd : .expectedCommaOrArrayEnd)
        }
        cursor.at &+= 1
        next = cursor.skipWhitespace()
      }
      guard nesting.isObject else {
        key = nesting.depth == level ? .locArg : .other
        expected = isFirst ? .expectedFirstElement : .expectedElement
        continue
      }
      guard next == UInt8(ascii: "\"") else { return cursor.fail(isFirst ? .expectedFirstKey : .expectedKey) }
      let start = cursor.at &+ 1
      let unusual = cursor.unusual
      guard cursor.skipString() else { return false }
      key = .other
      if nesting.depth == level {
        let name = UnsafeRawBufferPointer(start: cursor.base + start, count: cursor.at &- 1 &- start)
        key = PayloadKey(name: name, isPlain: cursor.unusual == unusual, level: level)
        if level == PayloadLevel.alert.rawValue { findings.noteAlertKey(key) }
      }
      guard cursor.skipWhitespace() == UInt8(ascii: ":") else { return cursor.fail(.expectedColon) }
      cursor.at &+= 1
      next = cursor.skipWhitespace()
      expected = .expectedMember
    }
  }
}
