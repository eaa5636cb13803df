/// A notification that matched all but a little, or a connection whose frame is not finished.
package struct NearMiss: Hashable, Sendable {
  /// The notification's or the connection's: `n57`, `c3`.
  package var id: String
  package var differences: [Query.Difference]
}

extension NearMiss: KeptByMembers {
  static let members = Members(Self.init, \.id, \.differences)
}

extension Query.Difference: KeptByMembers {
  static let members = Members(Self.init, \.path, \.expected, \.actual)
}
