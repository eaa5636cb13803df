internal import Synchronization

/// Searches for an expression, and remembers the states that texts have led to.
final class PatternSearch: Sendable {
  let program: PatternProgram
  private let alphabet: PatternAlphabet
  private let table: Mutex<PatternTable>

  init(_ program: PatternProgram) {
    self.program = program
    alphabet = PatternAlphabet(program)
    table = Mutex(PatternTable(program, alphabet))
  }

  /// Whether the expression is found anywhere in a text.
  func isFound(in text: some Sequence<Unicode.Scalar>) -> Bool {
    table.withLock { isFound(in: text, &$0) }
  }

  @inline(__always)
  private func isFound(in text: some Sequence<Unicode.Scalar>, _ table: inout PatternTable) -> Bool {
    var state = table.first
    guard state != PatternTable.found else { return true }
    var rest = text.makeIterator()
    var upcoming = rest.next()
    guard upcoming != nil else { return program.isFoundInNothing }
    while let scalar = upcoming {
      guard let character = alphabet.index(of: scalar) else {
        return program.isFound(from: table.places(of: state), scalar, &rest)
      }
      var next = table.next(state, character)
      if next == PatternTable.unwritten { next = table.write(state, character, program, alphabet) }
      if next >= PatternTable.full {
        return next == PatternTable.found || program.isFound(from: table.places(of: state), scalar, &rest)
      }
      state = next
      upcoming = rest.next()
    }
    return table.isFound(atEnd: state)
  }
}
