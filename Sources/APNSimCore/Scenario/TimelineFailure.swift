/// A command of a timeline that could not be carried out.
package struct TimelineFailure: Hashable, Sendable, CustomStringConvertible {
  package let time: Timestamp
  package let reason: String

  package var description: String { "timeline at \(time): \(reason)" }
}
