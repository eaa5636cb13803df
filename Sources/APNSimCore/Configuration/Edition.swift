/// Which of Apple's texts the gateway follows where they differ.
public enum Edition: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
  /// The Local and Push Notification Programming Guide of 2010 to 2013: the expiry is signed, an unknown
  /// command is answered with status 255, the only catch-all of its Table 5-1.
  case guide
  /// The Binary Provider API appendix of 2018: the expiry is unsigned, an unknown command is answered with 128.
  case final
}
