import Foundation

/// The allowances of a run under a sanitizer, as `scripts/sanitize` sets them.
package enum Sanitizer {
  /// The factor by which a test may take longer than otherwise; 1 without a sanitizer.
  package static let slowness =
    ProcessInfo.processInfo.environment["APNSIM_SANITIZER_SLOWNESS"].flatMap { Int($0) } ?? 1
}
