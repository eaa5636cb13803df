import COpenSSL

/// A version of the TLS protocol, spelt as in settings and logs: "1.0" to "1.3".
public enum TLSVersion: String, Sendable, CaseIterable, Comparable {
  case v1_0 = "1.0"
  case v1_1 = "1.1"
  case v1_2 = "1.2"
  case v1_3 = "1.3"

  public static func < (one: TLSVersion, other: TLSVersion) -> Bool { one.wireValue < other.wireValue }

  /// The two bytes of the wire: 0x0301 to 0x0304.
  package var wireValue: Int32 {
    switch self {
    case .v1_0: TLS1_VERSION
    case .v1_1: TLS1_1_VERSION
    case .v1_2: TLS1_2_VERSION
    case .v1_3: TLS1_3_VERSION
    }
  }

  package init?(wireValue: Int32) {
    guard let version = Self.allCases.first(where: { $0.wireValue == wireValue }) else { return nil }
    self = version
  }
}
