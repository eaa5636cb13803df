#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The environment of this process.
package enum ProcessVariables {
  package static var all: [String: String] { ProcessInfo.processInfo.environment }

  /// The value of a variable; nil where it is not set.
  package static subscript(name: String) -> String? { all[name] }
}
