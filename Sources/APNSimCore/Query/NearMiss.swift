/// A notification that matched all but a little, or a connection whose frame is not finished.
package struct NearMiss: Hashable, Sendable {
  /// The notification's or the connection's: `n57`, `c3`.
  package var id: String
  package var differences: [Query.Difference]
}

extension NearMiss: Kept {
  func write(to state: inout StateWriter) {
    id.write(to: &state)
    differences.write(to: &state)
  }

  init(reading state: inout StateReader) throws(StateError) {
    try self.init(id: state.read(), differences: state.read())
  }
}

extension Query.Difference: Kept {
  func write(to state: inout StateWriter) {
    path.write(to: &state)
    expected.write(to: &state)
    actual.write(to: &state)
  }

  init(reading state: inout StateReader) throws(StateError) {
    try self.init(path: state.read(), expected: state.read(), actual: state.read())
  }
}
