public import APNSimWire

/// The behaviour of one simulator: the one value that flags, environment, YAML and API all build.
///
/// The first value of each setting is the default.
public struct Configuration: Hashable, Sendable {
  /// The generation of outcomes. No setting: a recording or a state that goes on has its own.
  public var rules = OutcomeRules.current
  public var edition = Edition.guide
  /// The commands the gateway understands. The guide knows 0 and 1; 2 is documented only later.
  public var commands: CommandSet = [.simple, .enhanced, .framed]
  public var payload = PayloadPolicy.strict
  public var tokens = TokenPolicy.any
  public var tokenUpdates = TokenUpdateCounting.connection
  public var badgeAbsent = BadgeAbsence.keep
  public var quirks: Quirks = []
  /// The time that a notification without an earlier expiry waits for an offline device. Apple's texts say
  /// "a limited period"; 28 days is ours. It holds for both interfaces unless it is the default.
  public var storagePeriod = Self.defaultStoragePeriod
  /// After how long without a notification a connection is closed, in simulated time; zero is never. Apple's gateway was
  /// seen to do it after two hours.
  public var idleClose = TimeSpan.zero
  /// True if the feedback list is kept after it is read.
  public var feedbackKeep = false
  /// True if tokens that start with `APNSIM` script themselves.
  public var magicTokens = true
  /// True if advice on connection churn is enforced by refusing connections.
  public var enforce = false
  /// The notifications that wait for an offline device.
  public var storedPerApp = StoredPerApp.last
  public var limits = Limits()

  public init() {}

  private static let defaultStoragePeriod = TimeSpan.days(28)

  /// The same for what came over HTTP/2: 30 days unless something else is set (DOC).
  var storagePeriodOfRequests: TimeSpan {
    storagePeriod == Self.defaultStoragePeriod && rules.have(.storageOfRequests) ? .days(30) : storagePeriod
  }

  /// The lengths that the decoder refuses as soon as they are declared, from these settings.
  package func frameLimits(tokenSizes: TokenSizes) -> FrameLimits {
    var limits = FrameLimits()
    limits.commands = commands
    limits.enhancedPayload = quirks.contains(.enhanced2048) ? 2048 : 256
    limits.tokenSizes = tokenSizes
    return limits
  }
}
