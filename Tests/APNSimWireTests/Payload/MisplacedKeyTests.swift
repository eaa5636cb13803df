import APNSimWire
import Testing

/// Keys of `aps` and its alert in another place or spelling than devices know.
struct MisplacedKeyTests {
  @Test(
    arguments: [
      (#"{"aps":{"alert":{"loc_key":"k"}}}"#, "aps.alert.loc_key", "aps.alert.loc-key", true),
      (#"{"aps":{"alert":{"locArgs":[]}}}"#, "aps.alert.locArgs", "aps.alert.loc-args", true),
      (#"{"aps":{"alert":{"badge":1}}}"#, "aps.alert.badge", "aps.badge", false),
      (#"{"aps":{"alert":{"sound":"s"}}}"#, "aps.alert.sound", "aps.sound", false),
      (#"{"aps":{"content_available":1}}"#, "aps.content_available", "aps.content-available", true),
      (#"{"aps":{"contentAvailable":1}}"#, "aps.contentAvailable", "aps.content-available", true),
      (#"{"aps":{"Alert":"a"}}"#, "aps.Alert", "aps.alert", true),
      (#"{"aps":{"loc-key":"k"}}"#, "aps.loc-key", "aps.alert.loc-key", false),
      (#"{"aps":{},"content-available":1}"#, "content-available", "aps.content-available", false),
      (#"{"content_available":1,"aps":{}}"#, "content_available", "aps.content-available", false),
      (#"{"aps":{"bagde":1}}"#, "aps.bagde", "aps.badge", true),
      (#"{"aps":{"alret":"a"}}"#, "aps.alret", "aps.alert", true),
      (#"{"aps":{"soud":"s"}}"#, "aps.soud", "aps.sound", true),
      (#"{"aps":{"badges":1}}"#, "aps.badges", "aps.badge", true),
      (#"{"aps":{"content-avaliable":1}}"#, "aps.content-avaliable", "aps.content-available", true),
      (#"{"aps":{"alert":{"titel":"t"}}}"#, "aps.alert.titel", "aps.alert.title", true),
      (#"{"aps":{"alert":{"loc-keys":"k"}}}"#, "aps.alert.loc-keys", "aps.alert.loc-key", true),
      (#"{"aps":{"alert":"a"},"badge":1}"#, "badge", "aps.badge", false),
    ]
  )
  func `misplaced keys are found with what was meant`(
    payload: String,
    path: String,
    meant: String,
    misspelled: Bool
  ) throws {
    let verdict = judge(payload)
    #expect(verdict.problem == .none)
    #expect(verdict.facts.hasMisplacedKey)
    let key = try #require(JSONValue.parse(payload).misplacedKeys.first)
    #expect((key.path, key.meant) == (path, meant))
    #expect(key.isMisspelled == misspelled)
  }

  @Test(
    arguments: [
      #"{"aps":{"alert":{"body":"b","title":"t","loc-key":"k"},"badge":1,"category":"c","thread-id":"t"}}"#,
      #"{"aps":{"badge":1},"badge":2,"title":"t","body":"b","category":"c"}"#,
      #"{"aps":{"alert":{"mine":1},"other":{"badge":1}},"mine":{"content-available":1},"level":5}"#,
      #"{"aps":{},"Badge":1,"Alert":"a"}"#,
      #"{"aps":{},"found":1,"barge":1,"bagde":1}"#,
      #"{"aps":{"url-args":[],"event":"update","timestamp":1,"alert":{"action":"a","summary-arg":"s"}}}"#,
      #"{"badge":2,"aps":{"badge":1,"":1,"-":1,"_":{}}}"#,
    ]
  )
  func `misplaced keys are no names that are right or of the app's own`(payload: String) throws {
    #expect(!judge(payload).facts.hasMisplacedKey)
    #expect(try JSONValue.parse(payload).misplacedKeys.isEmpty)
  }

  @Test
  func `misplaced keys are all named`() throws {
    let keys = try JSONValue.parse(
      #"{"badge":1,"aps":{"loc-key":"k","content_available":1,"alert":{"sound":"s"}}}"#
    ).misplacedKeys
    #expect(
      keys.map(\.path) == ["aps.loc-key", "aps.content_available", "aps.alert.sound", "badge"]
    )
    #expect(
      keys.map(\.meant) == ["aps.alert.loc-key", "aps.content-available", "aps.sound", "aps.badge"]
    )
  }
}
