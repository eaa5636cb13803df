import APNSimWire

/// Changing the rules, and what they say about connections that open.
extension World {
  // MARK: Change

  mutating func add(_ rule: Rule) throws(CommandError) {
    guard book.add(rule) != nil else { throw .tooManyRules(limit: RuleBook.limit) }
    rulesChanged()
  }

  mutating func removeRule(_ name: String) throws(CommandError) {
    guard book.remove(name) else { throw .unknownRule(name) }
    rulesChanged()
  }

  mutating func clearRules() {
    book.removeAll()
    rulesChanged()
  }

  /// Lets open connections have the rules as they are now; what was decided when they opened stays.
  mutating func rulesChanged() {
    for connection in connections.open {
      connection.gateway?.take(book)
      connection.http2?.take(book)
    }
  }

  // MARK: Connections

  /// Decides what is unusual about a connection that opens.
  mutating func plan(_ listener: Listener, ordinal: UInt32, provider: ProviderIdentity) -> ConnectionPlan {
    var plan = ConnectionPlan()
    for index in book.candidates(listener, ordinal: ordinal, provider: provider, ofConnection: true) {
      let entry = book.entries[index]
      guard case .fault(let fault) = entry.rule.action, entry.moment == .opening else { continue }
      // Of two faults of one kind the first one stays, and the other one has not fired.
      guard plan.hasRoom(for: fault), book.isReady(index), book.count(index, &random) else { continue }
      plan.add(fault, &random)
    }
    // The setting holds for every connection of which no rule says otherwise.
    if configuration.idleClose > .zero { plan.idleClose = plan.idleClose ?? configuration.idleClose }
    return plan
  }

  /// Decides how long the handshake of a new connection waits. Nothing but its listener is known of it yet.
  mutating func acceptDelay(_ listener: Listener, ordinal: UInt32) -> TimeSpan {
    let stranger = ProviderIdentity(topics: [], environment: .production, subject: "")
    var wasAsked = false
    for index in book.order {
      guard case .wait(let span)? = book.entries[index].effect,
        book.entries[index].rule.when.fits(listener, ordinal: ordinal, provider: stranger)
      else { continue }
      wasAsked = true
      guard book.isReady(index), book.count(index, &random) else { continue }
      emit(.connectionArrived(listener, ordinal: ordinal, acceptDelay: span))
      return span
    }
    if wasAsked { emit(.connectionArrived(listener, ordinal: ordinal, acceptDelay: .zero)) }
    return .zero
  }

  /// The refusal of a good certificate in the handshake; nil where no rule refuses it.
  ///
  /// A connection of requests is asked about twice: when it says hello, with no topic of it known, and again where it shows
  /// a certificate, about rules for topics.
  mutating func refusal(
    _ listener: Listener,
    ordinal: UInt32,
    provider: ProviderIdentity
  ) -> Fault.HandshakeRefusal? {
    var wasAsked = false
    for index in book.candidates(listener, ordinal: ordinal, provider: provider, ofConnection: true) {
      guard case .refuse(let refusal)? = book.entries[index].effect else { continue }
      let isOfTopic = book.entries[index].rule.when.topic != nil
      guard listener != .http2 || isOfTopic != provider.topics.isEmpty else { continue }
      wasAsked = true
      guard book.isReady(index), book.count(index, &random) else { continue }
      emit(.certificateJudged(listener, ordinal: ordinal, provider, refusal))
      return refusal
    }
    if wasAsked { emit(.certificateJudged(listener, ordinal: ordinal, provider, nil)) }
    return nil
  }
}
