import APNSimCore
import APNSimHTTP2
import APNSimServer
import APNSimTLS
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

/// The door of requests: who comes in, how it is told otherwise, and how a connection ends.
@Suite(.mustNotHang) struct `The port of requests` {
  private static let start = Timestamp(seconds: 1_780_000_000)

  private func run(
    _ change: (inout TestServer.Options) throws -> Void = { _ in },
    _ body: (TestServer, TestRequester.Request) async throws -> Void
  ) async throws {
    try await TestServer.run { options in
      options.start = Self.start
      options.stopTheClock()
      TestServer.known(&options)
      try change(&options)
    } _: { test in
      try await body(test, TestRequester.Request(authorization: TestTokens.bearer(issuedAt: Self.start)))
    }
  }

  // MARK: Coming in

  @Test(arguments: [TLSVersion.v1_2, .v1_3])
  func `a provider token is enough`(_ version: TLSVersion) async throws {
    try await run { test, request in
      let requester = try await TestRequester.connect(test) { $0.maximum = version }
      let answer = try await requester.push(request)
      #expect(answer.text == "200")
      #expect(answer.headers["apns-id"]?.count == 36)
      await requester.provider.close()
      await test.journal.wait(for: "connectionClosed")
      let opened = test.journal.events("connectionOpened")
      #expect(opened.count == 1 && opened[0].contains(#""listener":"http2""#))
      #expect(opened[0].contains(version.rawValue))
    }
  }

  @Test func `TLS below 1.2 is not spoken`() async throws {
    try await run { test, _ in
      await #expect(throws: TLSError.self) {
        _ = try await TestRequester.connect(test) { $0.maximum = .v1_1 }
      }
    }
  }

  @Test func `a certificate stands in for the token, and names the topic`() async throws {
    try await run { test, _ in
      let requester = try await TestRequester.connect(test, as: TestPKI.provider(TestServer.topic))
      var request = TestRequester.Request(authorization: "bearer nonsense", headers: [])
      #expect(try await requester.push(request).text == "200")
      request.headers = [("apns-topic", "com.example.other")]
      #expect(try await requester.push(request).text == #"400 {"reason":"TopicDisallowed"}"#)
      await requester.provider.close()
    }
  }

  @Test func `a rule's answer has its status, headers and body`() async throws {
    let odd = ScriptedAnswer(
      status: 418,
      body: "<p>",
      headers: [AnswerHeader(name: "retry-after", value: "9"), AnswerHeader(name: "apns-id", value: "x")]
    )
    try await run {
      $0.rule(.answer(odd), listener: .http2, nth: 1)
      $0.rule(.answer(ScriptedAnswer(reason: .shutdown)), listener: .http2, nth: 2)
    } _: { test, request in
      let requester = try await TestRequester.connect(test)
      let answer = try await requester.push(request)
      #expect(answer.text == "418 <p>")
      #expect(answer.headers["retry-after"] == "9" && answer.headers["apns-id"] == "x")
      #expect(try await requester.push(request).text == #"503 {"reason":"Shutdown"}"#)
      #expect(try await requester.push(request).text == "200")
      await requester.provider.close()
    }
  }

  @Test func `requests without certificate and provider token are each told so`() async throws {
    try await run { test, _ in
      let requester = try await TestRequester.connect(test)
      let answer = try await requester.push(TestRequester.Request())
      #expect(answer.text == #"403 {"reason":"MissingProviderToken"}"#)
      await requester.provider.close()
    }
  }

  @Test func `a certificate of another CA is refused in the handshake`() async throws {
    try await run { test, _ in
      let other = try CertificateAuthority(key: PrivateKey.generate(.p256))
      let key = try PrivateKey.generate(.p256)
      let template = CertificateTemplate.provider(
        topics: [.init(name: TestServer.topic)],
        environments: .production
      )
      let identity = TLSIdentity(certificate: try other.sign(template, for: key), key: key)
      await #expect(throws: (any Error).self) {
        _ = try await TestRequester.connect(test, as: identity) { $0.maximum = .v1_2 }
      }
      await test.journal.wait(for: "connectionRefused")
    }
  }

  @Test func `a certificate of the other environment gets GOAWAY and no answer`() async throws {
    try await run { test, request in
      let requester = try await TestRequester.connect(
        test,
        as: TestPKI.provider(TestServer.topic, .sandbox)
      )
      let (stream, bytes) = requester.frames(request)
      try? await requester.provider.send(bytes)
      await requester.readToEnd()
      let reason = #"{"reason":"BadCertificateEnvironment"}"#
      #expect(requester.goAways == [TestRequester.GoAway(lastStream: 0, code: 0, debug: reason)])
      #expect(requester.answers[stream] == nil)
      await requester.provider.close()
      #expect(test.journal.events("connectionRefused").count == 1)
      #expect(test.journal.events("connectionOpened").isEmpty)
    }
  }

  @Test func `a certificate without a topic gets GOAWAY`() async throws {
    try await run { test, _ in
      let requester = try await TestRequester.connect(test, as: TestPKI.identity(.device(name: "alice")))
      await requester.readToEnd()
      #expect(requester.goAways.map(\.debug) == [#"{"reason":"BadCertificate"}"#])
      await requester.provider.close()
    }
  }

  @Test func `HTTP/1.1 is answered with SETTINGS and GOAWAY`() async throws {
    try await run { test, _ in
      let provider = try await TestProvider.connect(#require(test.endpoints.http2Port), as: nil)
      try await provider.send(Array("POST /3/device/abab HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      let requester = TestRequester(provider)
      await requester.readToEnd()
      #expect(requester.settings.count == 1)
      #expect(requester.goAways.map(\.code) == [1])
      #expect(requester.goAways.map(\.debug) == ["Unexpected HTTP/1.x request: POST /3/device/abab"])
      await provider.close()
    }
  }

  // MARK: Tokens

  @Test func `the token stands in no log and no journal`() async throws {
    try await run { test, request in
      let requester = try await TestRequester.connect(test)
      #expect(try await requester.push(request).status == 200)
      let bad = try TestTokens.signed(#"{"alg":"ES256","kid":"NOBODYS001"}"#, #"{"iss":"T","iat":1}"#)
      #expect(try await requester.push(TestRequester.Request(authorization: bad)).status == 403)
      await requester.provider.close()
      #expect(test.log.count("NOBODYS001") == 1)
      for secret in [try #require(request.authorization), bad].flatMap({
        $0.split(separator: ".").dropFirst()
      }) {
        let encoded = Data(secret.utf8.prefix(30)).base64EncodedString().dropLast(4)
        for line in test.log.lines + test.journal.lines {
          #expect(!line.contains(secret) && !line.contains(encoded))
        }
      }
    }
  }

  @Test func `any well-formed token is good where all are taken`() async throws {
    try await run({ $0.server.requests.providerTokens = .any }) { test, _ in
      let requester = try await TestRequester.connect(test)
      let time = Self.start.seconds
      let token = try TestTokens.signed(
        #"{"alg":"ES256","kid":"NOBODYS001"}"#,
        #"{"iss":"T","iat":\#(time)}"#,
        by: ProviderKey.generate()
      )
      #expect(try await requester.push(TestRequester.Request(authorization: token)).text == "200")
      #expect(try await requester.push(TestRequester.Request(authorization: "bearer x")).status == 403)
      await requester.provider.close()
    }
  }

  @Test func `a key that is made while the server runs is known at once`() async throws {
    try await run { test, _ in
      let id = "MADELATER1"
      let scope = ProviderKeyScope(team: "TEAM000002", environment: .sandbox)
      let path = try TestPKI.prepared().makeProviderKey(id, record: scope.record)
      let token = try ProviderKey.read(path).token(id: id, team: "TEAM000002", issuedAt: Self.start.seconds)
      let requester = try await TestRequester.connect(test)
      let answer = try await requester.push(TestRequester.Request(authorization: "bearer " + token))
      #expect(answer.text == #"403 {"reason":"BadEnvironmentKeyInToken"}"#)
      await requester.provider.close()
    }
  }

  // MARK: Streams

  @Test func `one stream is announced until the first good token, where that is asked for`() async throws {
    try await run {
      $0.server.requests.firstTokenStreams = 1
      $0.server.requests.maxStreams = 7
    } _: { test, request in
      let requester = try await TestRequester.connect(test)
      #expect(await requester.settings(1)[0][3] == 1)
      #expect(try await requester.push(TestRequester.Request()).status == 403)
      #expect(requester.settings.count == 1)
      #expect(try await requester.push(request).status == 200)
      #expect(await requester.settings(2)[1] == [3: 7])
      await requester.provider.close()
    }
  }

  @Test func `more streams than announced end the connection, as with Apple`() async throws {
    try await run({ $0.server.requests.maxStreams = 2 }) { test, request in
      let requester = try await TestRequester.connect(test)
      _ = await requester.settings(1)
      try await requester.provider.send(TestRequester.bytes { $0.appendSettingsAcknowledgement() })
      let unfinished = (0..<3).flatMap { _ in TestRequester.headers(request, on: requester.takeStream()) }
      try await requester.provider.send(unfinished)
      await requester.readToEnd()
      #expect(requester.goAways.map(\.debug) == ["Maximum active streams violated for this endpoint."])
      await requester.provider.close()
    }
  }

  @Test func `a header list that is too large is answered by itself`() async throws {
    try await run { test, request in
      let requester = try await TestRequester.connect(test)
      var large = request
      large.headers.append(("x-filler", String(repeating: "x", count: 9000)))
      #expect(try await requester.push(large).text == "431")
      #expect(try await requester.push(request).text == "200")
      await requester.provider.close()
    }
  }

  @Test(arguments: [
    ("x-blank", "behind "), ("X-Capitals", "1"), ("transfer-encoding", "chunked"), (":other", "1"),
  ])
  func `a malformed request is reset, and the log and its connection say for what`(
    name: String,
    value: String
  ) async throws {
    try await run { test, request in
      let requester = try await TestRequester.connect(test)
      var malformed = request
      malformed.headers.append((name, value))
      // In one read: what follows a request comes after it.
      let frames = [requester.frames(request), requester.frames(malformed), requester.frames(request)]
      try await requester.provider.send(frames.flatMap(\.bytes))
      let answers = await requester.answers(frames.map(\.stream))
      #expect(answers.map(\.text) == ["200", "0", "200"] && answers[1].reset == 1)
      #expect(test.log.count("stream 3 was refused: \(name): ") == 1)
      await test.journal.wait(for: "notification", count: 2)
      let events = test.journal.lines.compactMap { line in
        ["streamReset", "notification"].first { line.contains(#""event":"\#($0)""#) }
      }
      #expect(events == ["notification", "streamReset", "notification"])
      let line = try #require(test.journal.events("streamReset").first)
      #expect(line.contains(#""stream":3,"code":"PROTOCOL_ERROR","header":"\#(name)","reason":""#), "\(line)")
      await requester.provider.close()
      await test.journal.wait(for: "connectionClosed")
      await test.server.stop()
      try expectReplaysToItself(test.journal.lines.joined(separator: "\n") + "\n")
    }
  }

  @Test func `white space at the ends of authorization and apns headers is left out`() async throws {
    try await run { test, request in
      let requester = try await TestRequester.connect(test)
      var spaced = request
      spaced.authorization = request.authorization.map { " \($0)\t" }
      spaced.headers = [("apns-topic", " \(TestServer.topic) "), ("apns-push-type", "alert ")]
      #expect(try await requester.push(spaced).text == "200")
      spaced.authorization = "bearer "
      #expect(try await requester.push(spaced).text == #"403 {"reason":"MissingProviderToken"}"#)
      (spaced.authorization, spaced.headers) = (request.authorization, [("apns-topic", " ")])
      #expect(try await requester.push(spaced).text == #"400 {"reason":"MissingTopic"}"#)
      await requester.provider.close()
      await test.journal.wait(for: "connectionClosed")
      let remarks = test.simulator.notifications().map { $0.explanations.first?.detail ?? "" }
      #expect(
        remarks == [
          "white space at the ends of authorization, apns-topic, apns-push-type does not count",
          "white space at the ends of authorization, apns-topic, apns-push-type does not count",
          "white space at the ends of apns-topic does not count",
        ]
      )
      await test.server.stop()
      try expectReplaysToItself(test.journal.lines.joined(separator: "\n") + "\n")
    }
  }

  @Test func `a provider that is gone while it is answered takes nobody along`() async throws {
    try await run { test, request in
      for _ in 0..<20 {
        let requester = try await TestRequester.connect(test, isPaused: true)
        requester.provider.sendWithoutWaiting((0..<300).flatMap { _ in requester.frames(request).bytes })
        // Answers that nobody has read make a reset of the end.
        await requester.provider.close()
      }
      let requester = try await TestRequester.connect(test)
      #expect(try await requester.push(request).text == "200")
      await requester.provider.close()
    }
  }

  @Test func `GOAWAY names the last request that came whole, and not one of which half has come`()
    async throws
  {
    try await run { test, request in
      let requester = try await TestRequester.connect(test)
      let (whole, half) = (requester.frames(request), requester.frames(request))
      try await requester.provider.send(whole.bytes + half.bytes.dropLast(4))
      #expect(await requester.answer(whole.stream).text == "200")
      #expect(test.server.end(ConnectionID(rawValue: 1), .shutdown))
      await requester.readToEnd()
      #expect(requester.goAways.map(\.lastStream) == [whole.stream])
      await requester.provider.close()
    }
  }

  @Test func `a flood ends the connection, and is said once`() async throws {
    try await run { test, _ in
      let requester = try await TestRequester.connect(test)
      let pings = TestRequester.bytes { bytes in
        for number in 0..<12_000 { bytes.appendPing(UInt64(number)) }
      }
      requester.provider.sendWithoutWaiting(pings)
      await requester.readToEnd()
      #expect(requester.goAways.map(\.code) == [11])
      #expect(test.log.count("a bound was met") == 1)
      await requester.provider.close()
    }
  }

  @Test func `a provider that does not read is not read from, and that is said`() async throws {
    try await run({ $0.server.timing.silence = .milliseconds(20) }) { test, request in
      let requester = try await TestRequester.connect(test, isPaused: true)
      let most = 64 << 20
      var written = 0
      repeat {
        // Their answers have no body: no window holds them back.
        written += await requester.provider.fillThePipe(most: most - written) {
          (0..<200).flatMap { _ in requester.frames(request).bytes }
        }
      } while test.log.count("does not read its answers") == 0 && written < most
      #expect(written < most)
      #expect(test.log.count("does not read its answers") == 1)
      await requester.provider.close()
    }
  }

  // MARK: Time and endings

  @Test func `an answer that takes its time comes when the clock has moved`() async throws {
    try await run {
      let reply = Reply(status: .shutdown, delay: .seconds(2))
      $0.rule(.reply(reply), listener: nil, nth: 1)
    } _: { test, request in
      let requester = try await TestRequester.connect(test)
      let (slow, bytes) = requester.frames(request)
      try await requester.provider.send(bytes)
      #expect(try await requester.push(request).status == 200)
      #expect(requester.answers[slow] == nil)
      try test.advance(.seconds(2))
      #expect(await requester.answer(slow).text == #"503 {"reason":"Shutdown"}"#)
      await requester.provider.close()
    }
  }

  @Test func `an answer that takes its time is given when an operator shuts down`() async throws {
    try await run {
      $0.rule(.reply(Reply(status: .invalidToken, delay: .hours(1))), listener: nil, nth: 1)
    } _: { test, request in
      let requester = try await TestRequester.connect(test)
      let (slow, bytes) = requester.frames(request)
      try await requester.provider.send(bytes)
      await test.waitForDeadlines(1)
      #expect(test.server.end(ConnectionID(rawValue: 1), .shutdown))
      await requester.readToEnd()
      #expect(requester.answers[slow]?.text == #"400 {"reason":"BadDeviceToken"}"#)
      #expect(requester.goAways.count == 1)
      await requester.provider.close()
    }
  }

  @Test func `a shutdown answers what was received and says GOAWAY`() async throws {
    let test = try await TestServer.start { options in
      options.start = Self.start
      options.stopTheClock()
      // Longer than any test.
      options.server.timing.drain = .seconds(86_400)
      TestServer.known(&options)
    }
    let requester = try await TestRequester.connect(test)
    let request = try TestRequester.Request(authorization: TestTokens.bearer(issuedAt: Self.start))
    #expect(try await requester.push(request).status == 200)
    let (stream, bytes) = requester.frames(request)
    try await requester.provider.send(bytes)
    async let stopped: Void = test.server.stop()
    await requester.readToEnd()
    await requester.provider.close()
    await stopped
    #expect(requester.answers[stream]?.text == "200")
    let goAway = TestRequester.GoAway(lastStream: stream, code: 0, debug: #"{"reason":"Shutdown"}"#)
    #expect(requester.goAways == [goAway])
    #expect(test.journal.events("connectionClosed").contains { $0.contains(#""reason":"drained""#) })
  }

  @Test func `an operator shuts a connection down`() async throws {
    try await run { test, request in
      let requester = try await TestRequester.connect(test)
      #expect(try await requester.push(request).status == 200)
      #expect(test.server.end(ConnectionID(rawValue: 1), .shutdown))
      await requester.readToEnd()
      #expect(requester.goAways.map(\.debug) == [#"{"reason":"Shutdown"}"#])
      await requester.provider.close()
    }
  }

  @Test func `both environments have a port, or none`() async throws {
    try await run {
      $0.server.listening.environment = .both
      $0.server.listening.sandboxHTTP2Port = nil
    } _: { test, _ in
      #expect(test.endpoints.http2Port != nil && test.endpoints.sandboxHTTP2Port == nil)
    }
    try await run({ $0.server.listening.http2Port = nil }) { test, _ in
      #expect(test.endpoints.http2Port == nil)
      #expect(!test.endpoints.json.contains("http2"))
    }
  }
}
