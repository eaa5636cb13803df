import APNSimWire
import Testing

struct ReasonTests {
  @Test func `the table has each reason in its place`() {
    #expect(ReasonRow.all.map(\.reason) == Reason.allCases)
    #expect(ReasonRow.all.allSatisfy { $0.isForDevices || $0.isForBroadcast })
    #expect(Reason.allCases.filter { $0.rawValue <= 0x20 }.allSatisfy { $0.row.isForDevices })
    #expect(Reason.allCases.filter { $0.rawValue > 0x20 }.allSatisfy { !$0.row.isForDevices })
  }

  @Test func `numbers are those of magic tokens`() {
    #expect(Reason(rawValue: 0x01) == .badCollapseId)
    #expect(Reason(rawValue: 0x1A) == .unregistered)
    #expect(Reason(rawValue: 0x20) == .shutdown)
  }

  @Test func `names are those sent, and by the quirk those documented`() {
    #expect(Reason.badEnvironmentKeyIdInToken.name() == "BadEnvironmentKeyInToken")
    #expect(Reason.badEnvironmentKeyIdInToken.name(documented: true) == "BadEnvironmentKeyIdInToken")
    #expect(Reason.featureNotEnabled.name() == "BroadcastFeatureNotEnabled")
    #expect(Reason.featureNotEnabled.name(documented: true) == "FeatureNotEnabled")
    for reason in Reason.allCases {
      #expect(Reason(name: reason.name()) == reason)
      #expect(Reason(name: reason.name(documented: true)) == reason)
    }
    #expect(Reason(name: "BadDate") == nil)
  }

  @Test func `each binary status has a counterpart, and comes back from it`() {
    let pairs: [(UInt8, Reason)] = [
      (1, .internalServerError), (2, .missingDeviceToken), (3, .missingTopic), (4, .payloadEmpty),
      (5, .badDeviceToken), (6, .badTopic), (7, .payloadTooLarge), (8, .badDeviceToken), (10, .shutdown),
      (99, .internalServerError),
    ]
    for (code, reason) in pairs {
      #expect(Reason(counterpartOf: StatusCode(rawValue: code)) == reason)
      if code != 5, code != 99 {
        #expect(reason.binaryCounterpart == .status(StatusCode(rawValue: code)))
      }
    }
    #expect(Reason.unregistered.binaryCounterpart == .feedback)
  }

  @Test func `push types have their suffixes and limits`() {
    #expect(PushType.rows.count == PushType.allCases.count)
    #expect(PushType.allCases.filter { $0.row.payloadLimit != 4096 } == [.voip])
    for type in PushType.allCases {
      #expect(Array(type.name.utf8).withUnsafeBytes { PushType($0) } == type)
      let suffix = "\(type.row.topicSuffix)"
      let found = Array("com.example\(suffix)".utf8).withUnsafeBytes { PushType(suffixOf: $0) }
      #expect(found == (suffix.isEmpty ? nil : type))
    }
  }
}
