package import Testing

/// Limits of waits. They end what hangs, and nothing else: on any machine, beside whatever runs there, what a test waits for comes
/// before.
package enum Hang {
  /// The limit of one wait.
  package static let limit = Duration.seconds(600 * Sanitizer.slowness)
  /// The same as an argument of the program, where that is started.
  package static let timeout = "600s"
}

extension Trait where Self == TimeLimitTrait {
  /// The limit of a test: longer than that of a wait, which says what was waited for.
  package static var mustNotHang: Self { .timeLimit(.minutes(15 * Sanitizer.slowness)) }
}

/// Looks again and again until something is so. False where it is not so when the limit is reached, or the test is over.
package func eventually(
  isolation: isolated (any Actor)? = #isolation,
  _ isSo: () throws -> Bool
) async throws -> Bool {
  let end = ContinuousClock.now + Hang.limit
  while try !isSo() {
    guard ContinuousClock.now < end, (try? await Task.sleep(for: .milliseconds(2))) != nil else {
      return false
    }
  }
  return true
}

/// The same, for a look that does not fail.
package func eventually(isolation: isolated (any Actor)? = #isolation, _ isSo: () -> Bool) async -> Bool {
  (try? await eventually(isolation: isolation) { () throws -> Bool in isSo() }) ?? false
}
