import APNSimWire

/// Writes the explain list of a notification from its record, when somebody looks.
struct Explainer {
  let record: NotificationRecord
  /// The bytes as sent.
  let evidence: UnsafeRawBufferPointer
  let token: UnsafeRawBufferPointer
  let payload: UnsafeRawBufferPointer
  let configuration: Configuration
  let topic: String
  let environment: PushEnvironment
  /// The ages of provider tokens, where their provider's clock was another.
  let firstSights: FirstSights
  /// The rule that decided, for people.
  let ruleName: String
  /// The name of the device its token stands for.
  let device: String?
  /// The decision of a rule or the token, if one decided.
  let script: Decision?
  /// A rule or the token let it go to nobody.
  let isSwallowed: Bool
  /// The hint about bytes after the notification before; see ``BinaryExplainer``.
  let afterPreceding: String?
  /// The gateway connection it came on, if it is remembered.
  let connection: GatewayRecord?
  let surroundings: RequestSurroundings

  var explanations: [Explanation] {
    if record.entry == .discarded { return staging + [discard] }
    if record.failed == .rule { return [failure] }
    var lines = staging
    if isSwallowed {
      let judged = record.problem == .none ? "" : "; its payload was not judged"
      let detail = "swallowed by a scripted fault\(judged)"
      lines.append(Explanation(check: "deliver", isPassed: false, detail: detail, hint: nil))
      return lines
    }
    let facts = PayloadJudge.judge(payload).facts
    if case .http2 = record.interface { return lines + requestLines }
    for check in interface.checks.prefix(while: { $0 != record.failed }) {
      guard let (detail, hint) = passed(check, facts) else { continue }
      lines.append(Explanation(check: check.name, isPassed: true, detail: detail, hint: hint))
    }
    if record.failed != .none {
      lines.append(failure)
    } else {
      lines.append(settlement)
      if let later { lines.append(later) }
    }
    return lines
  }

  /// The rule or the token that staged what happened, where the service would not have done it.
  private var staging: [Explanation] {
    let fault = if case .request(let fault)? = script { ": \(fault.name)" } else { "" }
    if record.rule > 0 {
      return [Explanation(check: "rule", isPassed: true, detail: "rule \(ruleName) fired\(fault)", hint: nil)]
    }
    guard record.magic || isSpent else { return [] }
    let detail =
      isSpent
      ? "the token scripted itself once, and is an ordinary one since" : "the token scripts itself\(fault)"
    return [Explanation(check: "magicToken", isPassed: true, detail: detail, hint: nil)]
  }

  /// True where its token is a magic one that has brought its fault before.
  private var isSpent: Bool {
    record.interface == .http2 && configuration.magicTokens && !record.magic && record.entry.isAccepted
      && MagicToken(token)?.invitesRetry == true
  }

  private var discard: Explanation {
    if case .http2 = record.interface { return goneAway }
    return Explanation(
      check: "discard",
      isPassed: false,
      detail: "written after an error response or a closing on this connection; never looked at",
      hint: resend
    )
  }

  /// The words of the interface it came in by.
  private var interface: BinaryExplainer {
    let defect = if case .binary(_, let defect) = record.interface { defect } else { FrameDefect.none }
    return BinaryExplainer(
      record: record,
      command: record.interface.command ?? 0,
      defect: defect,
      configuration: configuration,
      evidence: evidence,
      afterPreceding: afterPreceding
    )
  }

  /// The advice about what was discarded, by what the connection's error response names.
  private var resend: String {
    guard let connection else {
      return "resend everything that followed the notification that failed"
    }
    guard let response = connection.error?.response else {
      return "there was no error response: resend everything that is not known to be accepted"
    }
    let isNamed =
      response.identifier != .none || connection.failed.contains(.identifier(.none))
    return isNamed
      ? "resend everything that followed the notification named by the error response"
      : "the error response names no notification: resend everything that is not known to be accepted"
  }

  /// Nil for a check that is passed in silence.
  private func passed(_ check: Check, _ facts: PayloadFacts) -> (detail: String?, hint: String?)? {
    switch check {
    case .framing: interface.mistakes.identifierInHostOrder.map(hostOrder)
    case .command: nil
    case .payloadSize: ("\(fields.payloadLength) of \(interface.payloadLimit) bytes", nil)
    case .token: (device, interface.mistakes.textualToken)
    case .priority where fields.hasPriority && fields.priority == 10 && facts.onlyContentAvailable:
      (priority.0, "it may not wake the app: send it with priority 5")
    case .payload where record.problem != .none && PrescribedPayload(topic: topic)?.fits(payload) == true:
      ("what Apple prescribes for the topic \(topic)", nil)
    case .payload where record.problem != .none:
      ("\(payloadFault.0); the lenient policy lets it pass", payloadMistake)
    case .payload where facts.duplicateAPS:
      ("'aps' is there more than once", "the last one counts; JSON leaves open which")
    case .payload where facts.hasMisplacedKey: misplacedKeys
    case .payload where repeatedKey != nil:
      (repeatedKey.map { "'\($0)' is there more than once" }, "the last one counts; JSON leaves open which")
    case .payload where facts.hasCustomNull:
      ("a custom value is null", "the guide has dictionaries, arrays, strings, numbers and Booleans")
    default: (nil, nil)
    }
  }

  private func hostOrder(_ number: UInt32) -> (detail: String?, hint: String?) {
    (
      "the identifier \(fields.identifier.hex) is \(number) in little endian",
      "an error response names it by the bytes as sent: read them in the order in which they are written"
    )
  }

  /// The first key of `aps` that is there twice.
  private var repeatedKey: String? {
    // Few payloads have to be parsed for it.
    let suspects = Self.names.filter { ByteSearch.isTwice($0.quoted, in: payload) }
    guard !suspects.isEmpty, let aps = try? JSONValue.parse(payload).member("aps")?.objectValue else {
      return nil
    }
    return suspects.first { name, _ in aps.count { $0.key == name } > 1 }.map { "aps.\($0.name)" }
  }

  /// The keys of `aps` that may be there twice, and as they stand in a payload.
  private static let names: [(name: String, quoted: [UInt8])] = [
    "alert", "badge", "sound", "content-available", "mutable-content", "category", "thread-id",
  ].map { ($0, Array("\"\($0)\"".utf8)) }

  private var misplacedKeys: (detail: String?, hint: String?) {
    let keys = (try? JSONValue.parse(payload).misplacedKeys) ?? []
    guard let first = keys.first else { return (nil, nil) }
    if keys.count > 1 {
      let (paths, meant) = (keys.map { "'\($0.path)'" }, keys.map { "'\($0.meant)'" })
      return (
        "no device looks for \(paths.joined(separator: ", "))",
        "it looks for \(meant.joined(separator: ", "))"
      )
    }
    return first.isMisspelled
      ? ("'\(first.path)' is no key that a device knows", "write '\(first.meant)'")
      : ("no device looks for '\(first.path)'", "its place is '\(first.meant)'")
  }

  private var fields: NotificationFields { record.fields }

  // MARK: What failed

  private var failure: Explanation {
    var (detail, hint): (String, String?)
    switch record.failed {
    case .command: (detail, hint) = interface.unknownCommand
    case .framing: (detail, hint) = interface.brokenFrame
    case .tokenPresence: (detail, hint) = ("the device token is missing or has length 0", nil)
    case .tokenSize:
      detail =
        "the device token has \(fields.tokenLength) bytes; known sizes: 32 and those of added devices"
      hint = interface.mistakes.tokenSize
    case .payloadPresence: (detail, hint) = ("the payload is missing or has length 0", nil)
    case .payloadSize: (detail, hint) = interface.tooLarge
    case .topic: (detail, hint) = ("the certificate names no topic", nil)
    case .token: (detail, hint) = tokenFault
    case .priority: (detail, hint) = priority
    case .payload: (detail, hint) = payloadFault
    case .rule: (detail, hint) = (scripted, nil)
    case .request: (detail, hint) = ("", nil)
    case .none: (detail, hint) = ("", nil)
    }
    if case .binary = record.interface { detail += interface.silence }
    return Explanation(check: record.failed.name, isPassed: false, detail: detail, hint: hint)
  }

  /// The decision that took the place of the gateway's own judgement.
  private var scripted: String {
    let answer =
      switch script {
      case .request(let fault) where fault.ofAnswer.isSilent: fault.inPlaceOfAnswer
      case .reply, .reason, .answer, .request: "answers \(answerName)"
      case .end(.stopReading): "stops the reading, without a packet"
      default: "ends the connection without a packet"
      }
    return record.magic ? "the token's magic \(answer)" : "rule \(ruleName) \(answer)"
  }

  private var tokenFault: (String, String?) {
    let (detail, hint) = trust
    return (detail, interface.mistakes.textualToken ?? hint)
  }

  /// The reason why the token is none here, and what to do about it.
  var trust: (String, String?) {
    switch record.tokenFault {
    case .none, .unknown:
      (
        "no device has this token for \(topic) (\(environment.rawValue))",
        "devices come from a scenario, or use --tokens any"
      )
    case .otherApp where !surroundings.owners.isEmpty:
      (
        "the token belongs to \(RequestCauses.list(surroundings.owners.map(\.description))), not to \(topic)",
        "each app on a device has its own token"
      )
    case .otherApp:
      ("the token belongs to another app than \(topic)", "each app on a device has its own token")
    case .otherEnvironment:
      (
        "the token belongs to \(topic) in the other environment",
        "sandbox and production tokens differ; this connection is \(environment.rawValue)"
      )
    case .notIssued:
      ("the token was not issued by this simulator", "take tokens from a device, or use --tokens any")
    case .tooManyDevices: ("there is no room for another device", nil)
    }
  }

  private var priority: (String, String?) {
    fields.priority == 10
      ? ("priority 10 for a payload with only content-available", "send it with priority 5")
      : ("the priority is \(fields.priority); 10 and 5 are defined", nil)
  }

  private var payloadFault: (String, String?) {
    (diagnosis, payloadMistake ?? Self.anyPayload)
  }

  private var diagnosis: String { PayloadDiagnosis(payloadVerdict, payload: Array(payload)).description }

  private var payloadVerdict: PayloadVerdict {
    PayloadVerdict(problem: record.problem, offset: Int(record.problemOffset), facts: PayloadFacts())
  }

  private var payloadMistake: String? { interface.payloadMistake(payloadVerdict, payload) }

  /// The hint about a payload when nothing better is known.
  static let anyPayload = "the real gateway took any payload; --payload lenient does as well"

  // MARK: What was done

  var settlement: Explanation {
    let name = device ?? "the device"
    let replaced = record.replaced == 0 ? "" : "; replaced n\(record.replaced)"
    let detail: String
    var hint: String?
    switch record.entry {
    case .delivered: detail = "\(name) is online"
    case .stored, .replaced:
      detail = delay.map { "under way: its token gives \(name) \($0)" } ?? "\(name) is offline\(replaced)"
    case .expired: detail = "\(name) is offline and the expiry has passed\(replaced)"
    case .notStored: detail = "\(name) is offline and the expiry says not to store\(replaced)"
    case .refused:
      let later = listingDelay.map { ", in \($0)" } ?? ""
      detail = "\(name) no longer has the app; the feedback service lists the token\(later)"
    case .dropped where record.problem == .none:
      detail = "accepted, and for nobody"
      hint = fields.priority == 10 ? "a background push is sent with priority 5" : nil
    case .dropped:
      detail = "\(name) could not read the payload\(unreadable)"
      hint = record.interface == .http2 ? requestPayloadMistake : BinaryExplainer.lenience
    case .rejected, .discarded, .performed: detail = ""
    }
    // A fate that it met for another reason is not the expiry's doing.
    let isExpirysDoing = record.entry != .refused && record.entry != .dropped
    if isExpirysDoing, let mistake = interface.mistakes.expiry(at: record.time) { hint = mistake }
    let check =
      record.entry == .delivered || record.entry == .refused || record.entry == .dropped
      ? "deliver" : "store"
    return Explanation(
      check: check,
      isPassed: record.entry == .delivered || record.entry == .stored,
      detail: detail,
      hint: hint
    )
  }

  /// The place in a request's payload that nothing can be read from, and what is there; a frame has a check that says it.
  private var unreadable: String {
    record.interface == .http2 && record.problem != .none ? ", \(diagnosis)" : ""
  }

  private var requestPayloadMistake: String {
    let limit = RequestEvidence(evidence)?.request.payloadLimit ?? 0
    return PayloadMistakes(payload: payload, carrier: .request(limit: limit)).hint(about: payloadVerdict)
      ?? "APNs answers 200 all the same: it does not read payloads"
  }

  /// The time it was under way, where its token gave the device that time.
  private var delay: TimeSpan? {
    record.isUnderway ? MagicToken(token)?.span : nil
  }

  /// The time after which the feedback service lists its token, where the token says so.
  private var listingDelay: TimeSpan? {
    guard case .device(let magic)? = script, magic.kind == .uninstalled, magic.code > 0 else { return nil }
    return magic.span
  }

  var later: Explanation? {
    guard record.outcome != record.entry else { return nil }
    let moment = delay == nil ? "when the device came online" : "when it arrived"
    let detail =
      switch record.outcome {
      case .delivered:
        delay.map { "delivered after its \($0), whatever the expiry" } ?? "delivered \(moment)"
      case .notStored: "the device was offline \(moment), and the expiry says not to store"
      case .replaced: "replaced by n\(record.replacedBy)"
      case .expired: "given up when its time was over"
      case .refused: "refused: the device no longer has the app, or is gone itself"
      case .dropped: "dropped \(moment): it could not read the payload\(unreadable)"
      default: ""
      }
    return Explanation(
      check: record.outcome.description,
      isPassed: record.outcome == .delivered,
      detail: detail,
      hint: nil
    )
  }
}
