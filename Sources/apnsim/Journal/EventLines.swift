import APNSimWire

/// Lines of the journal in the provider's terms, for people.
struct EventLines {
  let style: Style
  /// The notification whose line was the last one.
  private var notification = ""

  init(style: Style) { self.style = style }

  /// - Returns: nil for what says nothing that another line does not say as well.
  mutating func text(_ line: some Sequence<UInt8>) -> String? {
    guard let event = try? JSONValue.parse(line), let name = event.member("event")?.stringValue else {
      return nil
    }
    let previous = notification
    notification = name == "notification" ? event.text("id") : ""
    if name == "notification" { return NotificationSummary.text(event, style) }
    // The outcome at once is part of the notification's own line.
    if !previous.isEmpty, event.text("notification") == previous, Self.outcomes.contains(name) { return nil }
    guard let (words, colour) = Self.words(name, event) else { return nil }
    let time = style.paint(NotificationSummary.clock(event.text("time")), .dim)
    return "\(time)  \(colour.map { style.paint(words, $0) } ?? words)"
  }

  private static let outcomes: Set<String> = ["delivered", "stored", "refused", "notStored", "dropped"]

  private static func words(_ name: String, _ event: JSONValue) -> (String, Style.Colour?)? {
    let connection = event.text("connection")
    let device = event.text("device")
    let app = event.text("topic")
    switch name {
    case "connectionOpened": return (opened(event), nil)
    case "connectionClosed": return (closed(event), nil)
    case "connectionRefused":
      return ("refused  \(event.text("listener")) from \(event.text("peer")): \(event.text("reason"))", .red)
    case "errorSent": return (error(event), .red)
    case "resent":
      return (
        "\(event.text("notification"))  resends \(event.text("discarded")), lost on "
          + event.text("discardedOn"), .green
      )
    case "answered": return ("\(event.text("notification"))  answered on stream \(event.text("stream"))", nil)
    case "streamReset" where event.text("by") == "service":
      let header = event.text("header")
      let flaw = header.isEmpty ? event.text("reason") : "\(header): \(event.text("reason"))"
      return ("\(connection)  no request on stream \(event.text("stream")): \(flaw)", .red)
    case "faultFired": return ("\(connection)  fault: \(event.text("fault"))", .yellow)
    case "replaced", "expired", "delivered", "stored", "refused", "notStored", "dropped":
      return outcome(name, event)
    case "inputEnded": return ("\(connection)  no more notifications will come", nil)
    case "commandFailed": return ("a command failed: \(event.text("reason"))", .red)
    case "historyCleared": return ("history cleared", nil)
    case "feedbackAdded": return ("feedback  \(app): \(event.text("token")) is listed", .yellow)
    case "feedbackRead":
      return ("\(connection)  feedback of \(app) read: \(event.text("tuples")) tuples", nil)
    case "feedbackCleared": return ("feedback  \(app.isEmpty ? "every list" : app) cleared", nil)
    case "deviceConnected": return ("\(connection)  device \(device) connected", nil)
    case "deviceDisconnected": return ("\(connection)  device \(device) disconnected", nil)
    case "deviceAdded": return ("device  \(device) added", nil)
    case "deviceRemoved": return ("device  \(device) removed", nil)
    case "deviceOnline": return ("device  \(device) is online", .green)
    case "deviceOffline": return ("device  \(device) is offline", .yellow)
    case "appInstalled": return ("device  \(device): \(app) installed, token \(event.text("token"))", nil)
    case "appUninstalled", "appRemoved": return ("device  \(device): \(app) removed", .yellow)
    case "clockChanged":
      let changes = [("advancedBy", "advanced by "), ("setTo", "set to "), ("clock", "")].compactMap {
        key,
        words in
        event.member(key).map { words + $0.plain }
      }
      return ("clock  \(changes.joined(separator: ", "))", nil)
    case "channelCreated": return ("channel  \(event.text("channel")) of \(app) created", nil)
    case "channelDeleted": return ("channel  \(event.text("channel")) of \(app) deleted", .yellow)
    case "channelSubscribed", "channelUnsubscribed":
      let change = name == "channelSubscribed" ? "subscribes to" : "unsubscribes from"
      return ("device  \(device) \(change) channel \(event.text("channel"))", nil)
    case "published":
      let counts = "\(event.text("delivered")) of \(event.text("subscribers")) subscribers have it"
      return ("\(event.text("notification"))  broadcast on channel \(event.text("channel")): \(counts)", nil)
    case "activityStarted":
      let type = event.text("attributesType")
      return ("device  \(device): activity \(event.text("activity")) \(type) started", .green)
    case "activityUpdated": return ("device  \(device): activity \(event.text("activity")) updated", nil)
    case "activityEnded": return ("device  \(device): activity \(event.text("activity")) ended", nil)
    case "activityIgnored":
      return ("\(event.text("notification"))  showed nothing: \(event.text("reason"))", .yellow)
    case "broadcastChanged":
      let isOn = event.member("broadcast")?.boolValue == true
      return ("app  \(app) \(isOn ? "may broadcast" : "may not broadcast any more")", .yellow)
    case "bytesIn", "bytesOut", "command": return nil
    default: return ([name, rest(event)].filter { !$0.isEmpty }.joined(separator: "  "), nil)
    }
  }

  private static func opened(_ event: JSONValue) -> String {
    var topic = event["provider.topic"]?.plain ?? ""
    if topic.isEmpty, event["provider"] != nil { topic = ProviderText.withoutCertificate }
    let tls = event["tls.version"].map { ", TLS \($0.plain)" } ?? ""
    let who =
      topic.isEmpty ? event.text("device") : "\(topic) (\(event["provider.environment"]?.plain ?? ""))"
    return
      "\(event.text("connection"))  \(event.text("listener")) opened by \(who), \(event.text("peer"))\(tls)"
  }

  private static func closed(_ event: JSONValue) -> String {
    let counts = ["received", "accepted", "rejected", "discarded"].compactMap { key in
      event.member(key)?.intValue.map { "\($0) \(key)" }
    }
    let tail = counts.isEmpty ? "" : ": " + counts.joined(separator: ", ")
    return "\(event.text("connection"))  closed (\(event.text("reason")))\(tail)"
  }

  private static func error(_ event: JSONValue) -> String {
    let about = event.text("notification").isEmpty ? "" : " for \(event.text("notification"))"
    let lost = event.member("lost")?.boolValue == true ? ", lost to a reset" : ""
    return
      "\(event.text("connection"))  error response: status \(event.text("status")) (\(event.text("name"))), "
      + "identifier \(event.text("identifier"))\(about)\(lost)"
  }

  /// A later outcome of a notification.
  private static func outcome(_ name: String, _ event: JSONValue) -> (String, Style.Colour?)? {
    let device = event.text("device")
    let place = device.isEmpty ? "channel \(event.text("channel"))" : device
    let who = "\(event.text("notification"))  \(place)"
    switch name {
    case "replaced": return ("\(who)  replaced by \(event.text("by"))", .yellow)
    case "expired":
      let because = event.text("because") == "storagePeriod" ? "the storage period has passed" : "expired"
      return ("\(who)  given up: \(because)", .yellow)
    default: return ("\(who)  \(name)", NotificationSummary.colour(name))
    }
  }

  /// The members of an event that has no words here.
  private static func rest(_ event: JSONValue) -> String {
    (event.objectValue ?? []).filter { !["seq", "time", "event"].contains($0.key) }
      .map { "\($0.key) \($0.value.plain)" }.joined(separator: ", ")
  }
}
