/// The one of Apple's texts that the gateway follows where they differ.
public enum Edition: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// The Local and Push Notification Programming Guide of 2010 to 2013: the expiry is signed, an unknown
  /// command is answered with status 255, the only catch-all of its Table 5-1.
  case guide
  /// The Binary Provider API appendix of 2018: the expiry is unsigned, an unknown command is answered with 128.
  case final
}

/// The gateway's judgement of payload content.
public enum PayloadPolicy: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// RFC 4627 to the letter, an `aps` dictionary, the types of Tables 3-1 and 3-2; a failure is status 1.
  case strict
  /// The real gateway's way: bytes are opaque but for their number; the device drops what it cannot read.
  case lenient
}

/// The device tokens that the gateway knows.
public enum TokenPolicy: String, Hashable, Sendable, CaseIterable {
  /// Any token of a known size is a device, online and with the app installed, made on first sight.
  case any
  /// Only devices that were added; any other token is status 8.
  case known
  /// Only tokens that this simulator issued; another app's, environment's or made-up one is status 8.
  case issued
}

/// The notifications that wait for an offline device.
public enum StoredPerApp: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// The last notification of each app ("only one recent notification", the documents of both interfaces).
  case last
  /// The last one of each app and collapse identifier ("User Notifications updates", June 2024).
  case collapseId = "collapse-id"
}

/// Among which requests changes of the provider token are counted: a second good one of a key within 20 minutes is
/// refused, and so is a third bad one.
public enum TokenUpdateCounting: String, Hashable, Sendable, CaseIterable {
  /// The changes of a connection (Apple's documents of 2025).
  case connection
  /// The changes of a team, on all its connections (seen: Apple forum 702056).
  case team
  /// Changes are not counted.
  case off
}

/// The effect of a payload without `badge` on the app's badge on a device.
public enum BadgeAbsence: String, Hashable, Sendable, CaseIterable {
  /// The badge stays as it is (the guide's text of 2013).
  case keep
  /// The badge is removed (the guide's text of 2009 to 2012).
  case clear
}
