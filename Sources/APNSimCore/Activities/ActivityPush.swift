import APNSimWire

/// A push of the type `liveactivity`, as a device reads it.
///
/// Source: ActivityKit, "Starting and updating Live Activities with ActivityKit push notifications".
struct ActivityPush {
  enum Kind: String {
    case start, update, end
  }

  var event: Kind?
  /// Seconds since 1970: an update that is not newer than the last is ignored.
  var timestamp: Int64?
  var attributesType: String?
  var attributes: JSONValue?
  var contentState: JSONValue?
  var staleDate: Timestamp?
  var dismissalDate: Timestamp?
  var relevanceScore: String?
  /// The alert as it was sent; nil without one.
  var alert: JSONValue?
  /// The device is to mint a token for the activity.
  var wantsToken = false
  /// The channel that the activity is to be updated by.
  var channel: String?

  /// Nil for a payload without a dictionary `aps`.
  init?(_ payload: UnsafeRawBufferPointer) {
    guard let aps = (try? JSONValue.parse(payload))?.member("aps"), aps.objectValue != nil else { return nil }
    event = aps.member("event")?.stringValue.flatMap(Kind.init)
    timestamp = aps.member("timestamp").flatMap(Self.seconds)
    attributesType = aps.member("attributes-type")?.stringValue
    attributes = aps.member("attributes").flatMap { $0.objectValue == nil ? nil : $0 }
    contentState = aps.member("content-state").flatMap { $0.objectValue == nil ? nil : $0 }
    staleDate = aps.member("stale-date").flatMap(Self.seconds).map { Timestamp(seconds: $0) }
    dismissalDate = aps.member("dismissal-date").flatMap(Self.seconds).map { Timestamp(seconds: $0) }
    if case .number(let text)? = aps.member("relevance-score") { relevanceScore = text }
    wantsToken = aps.member("input-push-token")?.intValue == 1
    channel = aps.member("input-push-channel")?.stringValue
    if let value = aps.member("alert"), value != .null { alert = value }
  }

  /// A number of seconds, whose fraction counts for nothing; a text is none.
  private static func seconds(_ value: JSONValue) -> Int64? {
    guard case .number(let text) = value else { return nil }
    if let whole = Int64(text) { return whole }
    return Double(text).flatMap { Int64(exactly: $0.rounded(.down)) }
  }
}
