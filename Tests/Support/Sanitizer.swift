import Foundation

/// What `scripts/sanitize` says of the run.
package enum Sanitizer {
  /// How much longer a test may take than otherwise; 1 without a sanitizer.
  package static let slowness =
    ProcessInfo.processInfo.environment["APNSIM_SANITIZER_SLOWNESS"].flatMap { Int($0) } ?? 1
}
