import APNSimCore
import APNSimServer
import APNSimTestSupport
import APNSimWire
import Testing

/// Channels over TLS, as a provider meets them.
@Suite(.mustNotHang) struct `Channels on the port of requests` {
  private static let start = Timestamp(seconds: 1_780_000_000)

  @Test func `channels on the port of requests are created, listed, published on and deleted`() async throws {
    try await TestServer.run { options in
      options.start = Self.start
      options.stopTheClock()
      TestServer.known(&options)
    } _: { test in
      let requester = try await TestRequester.connect(test)
      let token = try TestTokens.bearer(issuedAt: Self.start)
      let path = "/1/apps/\(TestServer.topic)"
      func send(_ method: String, _ path: String, _ headers: [(String, String)] = [], _ body: String = "")
        async throws -> TestRequester.Answer
      {
        try await requester.push(
          TestRequester.Request(
            method: method,
            path: path,
            authorization: token,
            headers: headers,
            body: Array(body.utf8)
          )
        )
      }
      let description = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
      let created = try await send("POST", path + "/channels", [], description)
      #expect(created.text == "201" && created.headers["apns-request-id"]?.count == 36)
      let id = try #require(created.headers["apns-channel-id"])
      #expect(Base64.decode(id)?.count == 16)
      let channel = ("apns-channel-id", id)
      #expect(try await send("GET", path + "/channels", [channel]).text == "200 " + description)
      #expect(try await send("GET", path + "/all-channels").text == #"200 {"channels":["\#(id)"]}"#)
      let headers = [channel, ("apns-push-type", "liveactivity"), ("apns-expiration", "0")]
      let update = #"{"aps":{"timestamp":1,"event":"update","content-state":{}}}"#
      let broadcast = "/4/broadcasts/apps/\(TestServer.topic)"
      #expect(try await send("POST", broadcast, headers, update).text == "200")
      let missing = try await send("POST", broadcast, Array(headers.dropFirst()), update)
      #expect(missing.text == #"400 {"reason":"MissingChannelId"}"#)
      #expect(try await send("DELETE", path + "/channels", [channel]).text == "204")
      #expect(try await send("DELETE", path + "/channels", [channel]).text == #"404 {"reason":"BadPath"}"#)
      #expect(
        try await send("POST", broadcast, headers, update).text == #"400 {"reason":"ChannelNotRegistered"}"#
      )
      await requester.provider.close()
    }
  }
}
