import Synchronization

/// Searches for an expression, and remembers the states that texts have led to.
final class PatternSearch: Sendable {
  let source: String
  let program: PatternProgram
  private let alphabet: PatternAlphabet
  private let table: Mutex<PatternTable>

  init(_ source: String, _ program: PatternProgram) {
    (self.source, self.program) = (source, program)
    alphabet = PatternAlphabet(program)
    table = Mutex(PatternTable(program, alphabet))
  }

  /// True where the expression is found anywhere in a text.
  func isFound(in text: some Sequence<Unicode.Scalar>) -> Bool {
    table.withLock { table in
      guard table.first != PatternTable.found else { return true }
      var state = table.first
      var rest = text.makeIterator()
      var upcoming = rest.next()
      guard upcoming != nil else { return program.isFoundInNothing }
      while let scalar = upcoming {
        if let isFound = step(scalar, &rest, &state, &table) { return isFound }
        upcoming = rest.next()
      }
      return table.isFound(atEnd: state)
    }
  }

  /// The same for ASCII characters.
  func isFound(in text: UnsafeRawBufferPointer) -> Bool {
    table.withLock { table in
      guard table.first != PatternTable.found else { return true }
      guard !text.isEmpty else { return program.isFoundInNothing }
      var state = table.first
      var at = 0
      while true {
        alphabet.ascii.withUnsafeBufferPointer { table.follow(text, &at, &state, $0) }
        guard at < text.count else { return table.isFound(atEnd: state) }
        let scalar = Unicode.Scalar(text[at])
        at += 1
        var rest = text[at...].lazy.map { Unicode.Scalar($0) }.makeIterator()
        if let isFound = step(scalar, &rest, &state, &table) { return isFound }
      }
    }
  }

  /// Takes one character.
  /// - Returns: what the search comes to, where that is known already: it is found, or there was no room for the state
  ///   and the rest was followed place by place.
  @inline(__always)
  private func step(
    _ scalar: Unicode.Scalar,
    _ rest: inout some IteratorProtocol<Unicode.Scalar>,
    _ state: inout PatternTable.State,
    _ table: inout PatternTable
  ) -> Bool? {
    guard let character = alphabet.index(of: scalar) else {
      return program.isFound(from: table.places(of: state), scalar, &rest)
    }
    var next = table.next(state, character)
    if next == PatternTable.unwritten { next = table.write(state, character, program, alphabet) }
    if next >= PatternTable.full {
      return next == PatternTable.found || program.isFound(from: table.places(of: state), scalar, &rest)
    }
    state = next
    return nil
  }
}
