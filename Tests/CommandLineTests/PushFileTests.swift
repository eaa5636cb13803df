import APNSimTestSupport
import Testing

@testable import apnsim

@Suite struct `Push files` {
  private func parse(_ text: String) throws -> PushFile {
    try PushFile.parse(Array(text.utf8), name: "p.apns")
  }

  @Test func `the bundle key of simctl is taken out and white space with it`() throws {
    let push = try parse(
      """
      {
        "Simulator Target Bundle": "com.example.game",
        "aps": { "alert": { "body": "Hi  there" }, "badge": 1.50 },
        "acme": [ null, "é" ]
      }
      """
    )
    #expect(push.bundle == "com.example.game")
    #expect(
      String(decoding: push.payload, as: UTF8.self)
        == #"{"aps":{"alert":{"body":"Hi  there"},"badge":1.50},"acme":[null,"é"]}"#
    )
  }

  @Test func `a payload without the key is sent as it is meant`() throws {
    let push = try parse(#"{"b":1,"a":2}"#)
    #expect(push.bundle == nil)
    #expect(String(decoding: push.payload, as: UTF8.self) == #"{"b":1,"a":2}"#)
  }

  @Test(arguments: ["{\"aps\":", "[1]", "", "{\"a\":1,}"])
  func `what is no JSON object is refused with a way out`(text: String) {
    let failure = #expect(throws: CommandFailure.self) { try parse(text) }
    #expect(failure?.hints == ["--raw sends the bytes as they are"])
  }

  @Test func `raw bytes are not looked at`() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("raw", "{\"aps\": not json")
    #expect(try PushFile.load(file, isRaw: true).payload == Array("{\"aps\": not json".utf8))
  }

  @Test func `a bundle that is not the certificate's topic is remarked upon`() throws {
    let push = PushFile(payload: [], bundle: "com.example.game", name: "p.apns")
    #expect(push.warning(bundle: "com.example.game", topics: ["com.example.game"]) == nil)
    #expect(push.warning(bundle: "com.example.game", topics: ["com.example.app", "com.example.game"]) == nil)
    #expect(
      push.warning(bundle: "com.example.game", topics: ["com.example.app"]) == """
        apnsim: warning: p.apns is for com.example.game, but the certificate's topic is com.example.app
        hint: "apnsim certs issue com.example.game" makes a certificate for it
        """
    )
  }
}
