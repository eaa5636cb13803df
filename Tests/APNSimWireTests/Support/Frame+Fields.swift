import APNSimWire

extension Frame {
  /// The fields that were seen.
  enum Field: CaseIterable { case token, payload, identifier, expiry, priority }

  var seen: Set<Field> {
    let all = [
      (Field.token, hasToken), (.payload, hasPayload), (.identifier, hasIdentifier), (.expiry, hasExpiry),
      (.priority, hasPriority),
    ]
    return Set(all.filter(\.1).map(\.0))
  }
}
