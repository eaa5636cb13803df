/// The judge's findings about a request.
package struct RequestVerdict: BitwiseCopyable, Hashable, Sendable {
  /// The first check that failed; `none` where all passed.
  package var failed = RequestCheck.none
  /// The reason that is answered; nil where all passed.
  package var reason: Reason?
  /// Accepted and never delivered: the quirk `backgroundPriority10`.
  package var isDropped = false

  package init() {}
}
