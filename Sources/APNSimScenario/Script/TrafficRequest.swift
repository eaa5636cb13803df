package import APNSimCore
import APNSimWire

/// A request of a file's traffic, or several that differ only in their streams.
package struct TrafficRequest: Hashable, Sendable {
  package var recipient: TrafficNotification.Recipient
  package var payload: [UInt8]
  /// The value of `apns-topic`; nil leaves the header out.
  package var topic: String?
  /// The topic whose token a device is reached by.
  package var app: String
  package var expiry: TrafficNotification.Expiry
  /// Headers after `apns-topic` and `apns-expiration`, in order; one that is there twice is repeated.
  package var headers: [AnswerHeader]
  package var method: String
  /// In place of `/3/device/<token>`.
  package var path: String?
  package var count: Int

  /// The header list of one request; the value of `authorization` is left out.
  package func headerList(token: [UInt8], isByToken: Bool, at now: Timestamp) -> [(
    name: [UInt8], value: [UInt8]
  )] {
    var list: [(String, String)] = [
      (":method", method), (":scheme", "https"), (":path", path ?? "/3/device/\(Hex.encode(token))"),
    ]
    if isByToken { list.append(("authorization", "")) }
    if let topic { list.append(("apns-topic", topic)) }
    switch expiry {
    case .none: break
    case .at(let seconds): list.append(("apns-expiration", "\(seconds)"))
    case .after(let span): list.append(("apns-expiration", "\((now + span).seconds)"))
    }
    list += headers.map { ($0.name, $0.value) }
    return list.map { (Array($0.0.utf8), Array($0.1.utf8)) }
  }
}

/// A provider token of a file's traffic: what would be found of it.
package struct TrafficToken: Hashable, Sendable {
  package enum Signature: String, Hashable, Sendable, CaseIterable {
    case good, bad, unknownKey, malformed
    /// Good, in DER.
    case der

    var verdict: ProviderTokenFacts.Verdict {
      switch self {
      case .good, .der: .good
      case .bad: .badSignature
      case .unknownKey: .unknownKey
      case .malformed: .malformed
      }
    }
  }

  package var team = "APNSIMTEAM"
  package var key = "APNSIMKEY1"
  /// The time from when it was issued to its first use; negative for a clock that is ahead.
  package var age = TimeSpan.zero
  package var signature = Signature.good
  /// `iat` is a text.
  package var isTimeText = false
  /// The environment and the topics that its key is for; nil and none for a key of the team.
  package var environment: PushEnvironment?
  package var topics: [String] = []
  /// Another one for every request.
  package var isPerRequest = false
  /// False for a request without one.
  package var isThere = true

  package init() {}

  private var remarks: ProviderToken.Remarks {
    let ofTime: ProviderToken.Remarks = isTimeText ? .textIssuedAt : []
    return signature == .der ? ofTime.union(.derSignature) : ofTime
  }

  /// - Parameter number: the number of this token, as those of other bytes have others.
  func facts(_ number: UInt64, issuedAt: Timestamp) -> ProviderTokenFacts {
    ProviderTokenFacts(
      number: number,
      keyID: key,
      teamID: team,
      issuedAt: issuedAt.seconds,
      verdict: signature.verdict,
      scope: ProviderKeyScope(team: team, environment: environment, topics: topics),
      remarks: remarks
    )
  }
}
