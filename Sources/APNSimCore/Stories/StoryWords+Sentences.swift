import APNSimWire

/// The sentence above a story, and the one that says why.
extension StoryWords {
  static func sentences(_ view: ConnectionView, _ cost: ConnectionStory.Cost) -> (String, String) {
    switch view.listener {
    case .gateway: gateway(view, cost)
    case .http2: requests(view, cost)
    case .feedback, .device:
      (
        capitalised(
          view.tuplesRead == 0 ? "no feedback was read" : "\(counted(view.tuplesRead, "feedback tuple")) read"
        ), ""
      )
    }
  }

  private static func gateway(_ view: ConnectionView, _ cost: ConnectionStory.Cost) -> (String, String) {
    let discarded = view.counts.discarded
    guard view.error != nil || discarded > 0 || view.counts.rejected > 0 else { return quiet(view) }
    var opening = "One bad notification"
    var why = ""
    if let response = view.error?.response {
      if response.status == .shutdown {
        opening = "Shut down by the service"
        why =
          "Status 10 names \(response.identifier.hex), the last accepted notification: everything after it is to be "
          + "sent again."
      } else {
        why =
          "Status \(response.status.rawValue) for identifier \(response.identifier.hex) ended the connection."
      }
    } else {
      (opening, why) = withoutResponse(view)
    }
    if discarded > 0 {
      let were = discarded == 1 ? "was" : "were"
      why +=
        " \(capitalised(counted(discarded, "notification"))) \(were) on the wire behind it and went unread."
      why += comeback(cost, of: discarded)
    }
    return (opening + ", " + fate(cost, of: discarded, "discarded"), why)
  }

  /// Something was refused or discarded, and no error response has said so.
  private static func withoutResponse(_ view: ConnectionView) -> (String, String) {
    let unknown = "so that the provider cannot know which notification it was."
    if view.isOpen { return ("No error response so far", "The connection is open.") }
    if case .peerClosed = view.closing {
      return ("Closed by the provider", "It did not wait for an error response, \(unknown)")
    }
    return ("Closed without an error response", "No error response was sent, \(unknown)")
  }

  private static func requests(_ view: ConnectionView, _ cost: ConnectionStory.Cost) -> (String, String) {
    let (sentence, why) = wellFormed(view, cost)
    guard view.malformed.count > 0, let last = view.malformed.latest.last else { return (sentence, why) }
    let count = counted(view.malformed.count, "malformed request")
    let flaw = "Stream \(last.stream) was reset: \(last.words)."
    guard view.counts.received > 0 else { return ("\(capitalised(count)), and no other", flaw) }
    return ("\(sentence), \(count)", trimmed("\(why) \(flaw)"))
  }

  private static func wellFormed(_ view: ConnectionView, _ cost: ConnectionStory.Cost) -> (String, String) {
    let unanswered = cost.unanswered ?? 0
    guard unanswered > 0 else {
      let (sentence, why) = quiet(view)
      let goAway = view.goAway.map {
        "GOAWAY named stream \($0.lastStream); everything up to it was answered."
      }
      return (sentence, goAway ?? why)
    }
    let opening: String
    var why = ""
    if let goAway = view.goAway {
      opening = "GOAWAY left \(counted(unanswered, "request")) unanswered"
      why =
        "Its last stream is \(goAway.lastStream): \(counted(UInt64(view.resend.aboveLastStream.count), "request")) "
        + "above it can be sent again safely"
      let below = UInt64(view.resend.upToLastStream.count)
      why += below > 0 ? ", of \(counted(below, "request")) up to it nobody can tell." : "."
    } else {
      opening = "\(capitalised(counted(unanswered, "request"))) got no answer"
    }
    let accepted = UInt64(view.resend.accepted.count)
    if accepted > 0 {
      why += " \(capitalised(counted(accepted, "request"))) reached the device or its store all the same."
    }
    why += comeback(cost, of: unanswered)
    return (opening + ", " + fate(cost, of: unanswered, "unanswered"), trimmed(why))
  }

  /// A connection on which nothing was lost.
  private static func quiet(_ view: ConnectionView) -> (String, String) {
    let counts = view.counts
    let noun = view.listener == .http2 ? "request" : "notification"
    guard counts.received > 0 else {
      return (view.isOpen ? "Open, and nothing was sent yet" : "Nothing was sent", "")
    }
    let all = counts.received == 1 ? "accepted" : "all accepted"
    let fate = counts.rejected == 0 ? all : "\(spelled(counts.rejected)) refused"
    let sentence = "\(capitalised(counted(counts.received, noun))), \(fate)"
    return (sentence, view.isOpen ? "The connection is open." : "")
  }

  /// The fates of the notifications that an error cost.
  private static func fate(_ cost: ConnectionStory.Cost, of all: UInt64, _ adjective: String) -> String {
    if all == 0 { return "nothing lost" }
    if cost.lost > 0 {
      return "\(spelled(cost.lost)) \(cost.isAwaited ? "not sent again yet" : "never sent again")"
    }
    if cost.resent > 0, cost.resent == all { return all == 1 ? "sent again" : "all sent again" }
    return "\(spelled(all)) \(adjective)"
  }

  private static func comeback(_ cost: ConnectionStory.Cost, of all: UInt64) -> String {
    guard cost.resent > 0 else { return cost.isAwaited ? "" : " The provider sent none again." }
    let places = cost.resentOn.prefix(mostNames).map(\.description).joined(separator: ", ")
    let many = cost.resent == all ? (all == 1 ? "it" : "all") : spelled(cost.resent)
    let of = cost.resent == all ? "" : " of them"
    return " The provider sent \(many)\(of) again" + (places.isEmpty ? "." : " on \(places).")
  }

  /// `one notification`, `three notifications`, `45 notifications`
  static func counted(_ count: UInt64, _ noun: String) -> String {
    "\(spelled(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  static func spelled(_ count: UInt64) -> String {
    let words = [
      "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
      "twelve",
    ]
    return count < UInt64(words.count) ? words[Int(count)] : Number.grouped(Int(clamping: count))
  }

  static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  private static func trimmed(_ text: String) -> String {
    text.first == " " ? String(text.dropFirst()) : text
  }
}
