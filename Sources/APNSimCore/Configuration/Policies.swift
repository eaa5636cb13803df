/// How the gateway judges payload content.
public enum PayloadPolicy: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// RFC 4627 to the letter, an `aps` dictionary, the types of Tables 3-1 and 3-2; a failure is status 1.
  case strict
  /// As the real gateway did: bytes are opaque but for their number; the device drops what it cannot read.
  case lenient
}

/// Which device tokens the gateway knows.
public enum TokenPolicy: String, Hashable, Sendable, CaseIterable {
  /// Any token of a known size is a device, online and with the app installed, made on first sight.
  case any
  /// Only devices that were added; any other token is status 8.
  case known
  /// Only tokens that this simulator issued; another app's, environment's or made-up one is status 8.
  case issued
}

/// What a payload without `badge` does to the app's badge on a device.
public enum BadgeAbsence: String, Hashable, Sendable, CaseIterable {
  /// It stays as it is (the guide's text of 2013).
  case keep
  /// It is removed (the guide's text of 2009 to 2012).
  case clear
}
