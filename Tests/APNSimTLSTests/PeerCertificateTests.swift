import Testing

@testable import APNSimTLS

@Suite
struct PeerCertificateTests {
  private func certificate(_ change: (inout CertificateTemplate) -> Void) throws -> PeerCertificate {
    PeerCertificate(try TestPKI.shared.identity(change).certificate)
  }

  @Test
  func `topic, environment, validity and serial number are read`() throws {
    let peer = try certificate { $0.notAfter = 2_000_000_000 }
    #expect(peer.userID == "com.example.app")
    #expect(peer.commonName == "Apple Production IOS Push Services: com.example.app")
    #expect(peer.topicNames == ["com.example.app"])
    #expect(peer.isProduction && !peer.isDevelopment)
    #expect(peer.notAfter == 2_000_000_000)
    #expect(peer.serial.count == 32)
    #expect(peer.issuer == "O=apnsim,CN=apnsim CA")
    #expect(peer.kind == .provider)
  }

  @Test
  func `the topics extension is read, the subject's topic first`() throws {
    let peer = try certificate {
      $0.topics = [
        .init(name: "com.example.app.voip", kind: "voip"), .init(name: "com.example.app"),
        .init(name: "com.example.app.complication", kind: "complication"),
      ]
    }
    #expect(peer.topics.map(\.kind) == ["voip", "app", "complication"])
    #expect(
      peer.topicNames == ["com.example.app", "com.example.app.voip", "com.example.app.complication"]
    )
    #expect(!peer.hasMalformedTopics)
  }

  @Test
  func `a malformed topics extension is noticed and not believed`() throws {
    for value in [
      [], [0x30], [0x30, 0x80], [0x30, 2, 0x0c, 5], [0x04, 0], [0x0c, 1, 0x61],
      // A name that is no UTF-8, and a kind.
      [0x30, 6, 0x0c, 2, 0x61, 0xE9, 0x30, 0], [0x30, 8, 0x0c, 1, 0x61, 0x30, 3, 0x0c, 1, 0xE9],
    ] as [[UInt8]] {
      let peer = try certificate { $0.rawExtensions = [AppleOID.topics: value] }
      #expect(peer.hasMalformedTopics, "\(value)")
      #expect(peer.topics.isEmpty)
    }
  }

  @Test
  func `a certificate without topic, or for both environments, says so`() throws {
    let none = try certificate { $0.subject = [.init(nid: 13, value: "nobody")] }
    #expect(none.topicNames.isEmpty && none.kind == .other && none.userID == nil)
    let both = PeerCertificate(
      try TestPKI.shared.authority.sign(
        .provider(topics: [.init(name: "a.b")], environments: .both),
        for: TestPKI.shared.spareKey
      )
    )
    #expect(both.commonName == "Apple Push Services: a.b")
    #expect(both.isDevelopment && both.isProduction)
    let device = PeerCertificate(
      try TestPKI.shared.authority.sign(.device(name: "alice"), for: TestPKI.shared.spareKey)
    )
    #expect(device.kind == .device && device.commonName == "alice")
  }

  @Test
  func `long topics and other scripts survive`() throws {
    let topic = "com.example." + String(repeating: "längeß.", count: 20)
    let peer = try certificate { $0.subject = [.init(nid: 458, value: topic)] }
    #expect(peer.userID == topic)
    #expect(peer.subject == "UID=" + topic)
  }

  @Test(arguments: [(1018, false), (1019, true), (60_000, true)])
  func `a subject that is too long is cut between characters, and the topic is not`(
    _ count: Int,
    _ isCut: Bool
  )
    throws
  {
    // The subject is "UID=", the letters and a character of two bytes.
    let topic = String(repeating: "a", count: count) + "é"
    let peer = try certificate { $0.subject = [.init(nid: 458, value: topic)] }
    #expect(peer.userID == topic)
    let kept = isCut ? String(repeating: "a", count: min(count, 1020)) + "…" : topic
    #expect(peer.subject == "UID=" + kept)
  }

  @Test
  func `hostile certificates are refused or read, never a trap`() throws {
    let der = try TestPKI.shared.identity {
      $0.topics = [.init(name: "com.example.app.voip", kind: "voip")]
    }.certificate.der
    var random = SplitMix(seed: 42)
    for _ in 0..<20_000 {
      var damaged = der
      for _ in 0...(random.next() % 3) {
        damaged[Int(random.next() % UInt64(damaged.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 8 == 0 { damaged.removeLast(Int(random.next() % UInt64(damaged.count))) }
      _ = PeerCertificate(der: damaged)
    }
    #expect(PeerCertificate(der: []) == nil)
    #expect(PeerCertificate(der: der + [0]) == nil)
  }
}

@Suite
struct DERReaderTests {
  @Test
  func `elements are read with short and long lengths`() {
    var reader = DERReader([0x0c, 2, 0x68, 0x69, 0x04, 0x81, 0x80] + [UInt8](repeating: 1, count: 128))
    #expect(reader.next()?.content.elementsEqual([0x68, 0x69]) == true)
    #expect(reader.next()?.content.count == 128)
    #expect(reader.isAtEnd && reader.next() == nil)
  }

  @Test(arguments: [
    [0x30], [0x30, 1], [0x30, 0x80, 0, 0], [0x30, 0x81], [0x30, 0x81, 0x7f], [0x30, 0x82, 0, 0x80],
    [0x30, 0x84, 1, 0, 0, 0], [0x30, 0xff], [0x1f, 0x81, 0], [0x30, 0x83, 0xff, 0xff, 0xff],
  ])
  func `what DER does not allow is not read`(bytes: [UInt8]) {
    var reader = DERReader(bytes[...])
    #expect(reader.next() == nil)
    #expect(!reader.isAtEnd)
  }

  @Test
  func `random bytes are read or refused`() {
    var random = SplitMix(seed: 7)
    for _ in 0..<20_000 {
      let bytes = (0..<Int(random.next() % 60)).map { _ in UInt8(truncatingIfNeeded: random.next() & 0x3f) }
      _ = TopicsExtension(der: bytes)
    }
  }

  @Test
  func `the topics extension survives a round trip, whatever the lengths`() throws {
    for length in [1, 100, 127, 128, 255, 256, 1000] {
      let topics = [
        TopicsExtension.Topic(name: String(repeating: "x", count: length), kind: "app"),
        TopicsExtension.Topic(name: "b", kind: "voip"),
      ]
      #expect(TopicsExtension(der: TopicsExtension(topics).der)?.topics == topics)
    }
    let most = (0..<TopicsExtension.limit).map { index in
      TopicsExtension.Topic(name: "\(index)" + String(repeating: "x", count: 250), kind: "app")
    }
    #expect(TopicsExtension(der: TopicsExtension(most).der)?.topics == most)
  }
}
