import APNSimWire

extension Frame {
  /// The fields that were seen.
  enum Field: CaseIterable { case token, payload, identifier, expiry, priority }

  var fields: Set<Field> {
    let seen = [
      (Field.token, hasToken), (.payload, hasPayload), (.identifier, hasIdentifier), (.expiry, hasExpiry),
      (.priority, hasPriority),
    ]
    return Set(seen.filter(\.1).map(\.0))
  }
}
