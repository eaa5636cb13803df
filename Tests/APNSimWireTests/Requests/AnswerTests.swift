import APNSimWire
import Testing

struct AnswerTests {
  private let made = "ABCDEF01-2345-4789-ABCD-EF0123456789"

  @Test func `a push that passed has an empty body and an identifier in upper case`() {
    let answer = RequestSample().answer()
    #expect(answer.status == 200)
    #expect(answer.headers == ["apns-id: \(made)"])
    #expect(answer.body == "")
  }

  @Test func `a supplied identifier comes back as it was written`() {
    for id in ["123e4567-e89b-12d3-a456-4266554400a0", "123E4567-E89B-12D3-A456-4266554400A0"] {
      #expect(RequestSample(["apns-id": id]).answer(.badTopic).headers == ["apns-id: \(id)"])
    }
    #expect(RequestSample(["apns-id": "no"]).answer(.badMessageId).headers == ["apns-id: \(made)"])
  }

  @Test func `the sandbox adds an identifier in lower case`() {
    let unique = "apns-unique-id: fedcba98-7654-4210-bedc-ba9876543210"
    #expect(RequestSample().answer(sandbox: true).headers == ["apns-id: \(made)", unique])
    #expect(RequestSample().answer(.shutdown, sandbox: true).headers == ["apns-id: \(made)", unique])
  }

  @Test func `an error is its reason, and a 410 says since when`() {
    #expect(RequestSample().answer(.badDeviceToken).body == #"{"reason":"BadDeviceToken"}"#)
    let gone = RequestSample().answer(.unregistered, timestamp: 1_454_402_113_000)
    #expect(gone.status == 410)
    #expect(gone.body == #"{"reason":"Unregistered","timestamp":1454402113000}"#)
    #expect(RequestSample().answer(.badTopic, timestamp: 1).body == #"{"reason":"BadTopic"}"#)
  }

  @Test func `quirks name reasons as documented and give errors a content type`() {
    let answer = RequestSample().answer(
      .badEnvironmentKeyIdInToken,
      quirks: [.documentedReasons, .contentTypeOnErrors]
    )
    #expect(answer.headers == ["apns-id: \(made)", "content-type: application/json"])
    #expect(answer.body == #"{"reason":"BadEnvironmentKeyIdInToken"}"#)
    #expect(RequestSample().answer(quirks: .contentTypeOnErrors).headers == ["apns-id: \(made)"])
  }

  @Test func `channels are answered with their own identifiers`() {
    let created = RequestSample.channel("{}").answer(channel: "tvI2UK0vEfEAAA6GFnjo2Q==")
    #expect(created.status == 201)
    #expect(
      created.headers == ["apns-request-id: \(made)", "apns-channel-id: tvI2UK0vEfEAAA6GFnjo2Q=="]
    )
    #expect(RequestSample.channel("", method: "DELETE").answer().status == 204)
    #expect(RequestSample.channel("", method: "GET").answer().status == 200)
    #expect(RequestSample.broadcast().answer().headers == ["apns-request-id: \(made)"])
    #expect(
      String(decoding: ChannelDescription.body(of: .mostRecent), as: UTF8.self)
        == #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
    )
    #expect(
      String(decoding: ChannelDescription.body(listing: ["a"]), as: UTF8.self) == #"{"channels":["a"]}"#
    )
  }
}
