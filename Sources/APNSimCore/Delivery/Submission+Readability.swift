import APNSimWire

extension Submission {
  /// True for a payload out of which a device gets anything although it is not by the tables: the lenient policy.
  /// MDM and Wallet send payloads without a usable `aps` on purpose, and pushes of some types reach their app as they are.
  @inline(never)
  func isReadable(in buffer: UnsafeRawBufferPointer, by rules: OutcomeRules) -> Bool {
    guard verdict.problem.isJSON,
      let value = try? JSONValue.parse(payload(in: buffer)),
      case .object(let members) = value
    else { return false }
    if rules.have(.payloadWithoutAPS), isForAppAlone(in: buffer) { return true }
    if verdict.problem.category == .keyType { return hasReadableKey(value, members) }
    if members.isEmpty || value["mdm"] != nil { return true }
    return value["aps"] == .string("")
  }

  /// True for a request whose payload the system hands to the app, whatever is in it.
  private func isForAppAlone(in buffer: UnsafeRawBufferPointer) -> Bool {
    guard interface == .http2, let evidence = RequestEvidence(bytes(in: buffer)) else { return false }
    let request = evidence.request
    return !request.isBroadcast && request.effectivePushType.row.isForAppAlone
  }

  /// True for a payload that has another key than those of a wrong type: a device ignores a key whose value is not
  /// of the type that Table 3-1 gives. Of today's, which requests are for, `sound` may be a dictionary.
  private func hasReadableKey(_ payload: JSONValue, _ members: [JSONValue.Member]) -> Bool {
    if members.contains(where: { $0.key != "aps" }) { return true }
    return (payload["aps"]?.objectValue ?? []).contains { member in
      switch (member.key, member.value) {
      case ("alert", .string), ("alert", .object), ("sound", .string): true
      case ("sound", .object): interface == .http2
      case ("badge", .number), ("content-available", .number): true
      case ("alert", _), ("sound", _), ("badge", _), ("content-available", _): false
      default: true
      }
    }
  }
}
