import APNSimScenario
import APNSimSystem

extension CommandFailure {
  /// Makes sure that a file which cannot be found is not one that others keep to themselves.
  /// - Throws: `CommandFailure` for a certificate or key that may not be read.
  static func checkMayRead(_ path: String) throws(CommandFailure) {
    guard let reason = SystemPath.refusal(of: path) else { return }
    throw CommandFailure(
      .badConfiguration,
      "\(path): cannot be read: \(reason.text)",
      hints: [
        """
        it is another user's: run this as that user (or with sudo), or have a copy made of what you need, for --certs DIR \
        to name
        """
      ]
    )
  }
}
