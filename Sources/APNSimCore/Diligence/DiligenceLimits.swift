/// From where on a habit is worth advice: all thresholds of ``DiligenceWatch``.
///
/// Apple's texts name the habits and no numbers ("rapidly and repeatedly", "periodically", "batch multiple"). These
/// are ours: far beyond what a careful provider does, and within what a test can bring about.
package struct DiligenceLimits: BitwiseCopyable, Hashable, Sendable {
  /// The number of short connections within ``churnWindow`` that make churn. A provider "should also retain connections with
  /// APNs across multiple notifications" (General Provider Requirements); parallel connections are fine and do not
  /// count while they stay open.
  package var churnConnections = 20
  package var churnWindow = TimeSpan.minutes(1)
  /// A connection that its provider closes before this age is a short one. One that an error closed never is.
  package var churnLifetime = TimeSpan.seconds(10)
  /// With `--enforce`: how long a churning provider must try no connection before the next is let in.
  package var churnQuiet = TimeSpan.minutes(1)

  /// The time that tuples may wait unread. "You should regularly connect with the feedback web server": once a day.
  package var feedbackPatience = TimeSpan.hours(24)
  /// The number of notifications that may be sent meanwhile, for clocks that stand still.
  package var feedbackNotifications = 100

  /// Writing for longer than this after an error response is ignoring it: it is there within a round trip.
  package var errorPatience = TimeSpan.seconds(1)
  /// The number of notifications after an error that may have been under way already, for clocks that stand still: what the
  /// buffers of both sides hold.
  package var errorNotifications = 10_000

  /// The rest of a frame that has not come for so long does not come: it is in one write with the beginning, or in the
  /// next.
  package var framePatience = TimeSpan.seconds(1)

  /// The number of other notifications that a new connection may carry before what an error cost is resent.
  package var resendGrace = 100

  /// The number of reads in a row, each with one notification and within ``writeGap`` of the one before, that show one
  /// notification per write. Slower ones have nothing to be batched with.
  package var singleWrites = 20
  package var writeGap = TimeSpan.milliseconds(50)

  /// BadDeviceToken so often is more than one user's lost token.
  package var badDeviceTokens = 20
  /// More than so many provider tokens, each sooner than ``tokenAge`` after the one before and for at least every second
  /// push, are one for each push.
  package var mintedTokens = 20
  package var tokenAge = TimeSpan.minutes(20)
  /// An expiration of up to so many seconds after 1970, a year, is meant as a duration.
  package var longestDuration: Int64 = 366 * 86_400

  package init() {}
}
