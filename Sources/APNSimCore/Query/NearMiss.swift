/// A notification that matched all but a little.
package struct NearMiss: Hashable, Sendable {
  package var id: String
  package var differences: [Query.Difference]
}
