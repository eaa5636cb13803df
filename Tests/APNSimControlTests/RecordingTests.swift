import APNSimControl
import APNSimWire
import NIOHTTP1
import Testing

@Suite struct `A control API of a recording` {
  @Test func `a control API of a recording says how far it has been read, and what is to be known of it`()
    async throws
  {
    let recording = ShownRecording(["night.jsonl.gz", "night.jsonl"])
    try await TestControl.run(recording: recording) { test in
      recording.reaches(0.317)
      var reply = try await test.http(.GET, "/api/v1/recording")
      #expect(
        reply.text
          == #"{"files":["night.jsonl.gz","night.jsonl"],"complete":false,"percent":31,"notes":[]}"# + "\n"
      )
      recording.reaches(7)
      recording.ends(["night.jsonl:3: cut off; everything before it is shown"])
      reply = try await test.http(.GET, "/api/v1/recording")
      #expect(reply.text.contains(#""complete":true,"percent":100,"notes":["night.jsonl:3: cut off; "#))
    }
  }

  @Test func `a control API of a recording is ready, tells the page what it is, and changes nothing`()
    async throws
  {
    try await TestControl.run(recording: ShownRecording(["night.jsonl"])) { test in
      #expect(try await test.http(.GET, "/readyz").status == 200)
      #expect(try await test.http(.GET, "/").text.contains(#"data-recording="yes""#))
      let reply = try await test.http(.POST, "/api/v1/clock/freeze")
      #expect(reply.status == 409 && reply.text.contains("this is a recording, which nothing changes"))
    }
  }

  @Test func `no control API of a recording is there where a simulator runs`() async throws {
    try await TestControl.run { test in
      let reply = try await test.http(.GET, "/api/v1/recording")
      #expect(reply.status == 404 && reply.text.contains("apnsim inspect FILE shows one"))
      #expect(try await test.http(.GET, "/").text.contains(#"data-recording="no""#))
    }
  }
}
