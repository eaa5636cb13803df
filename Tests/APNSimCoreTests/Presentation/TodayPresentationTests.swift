import APNSimCore
import APNSimWire
import Testing

/// The keys of today's `aps`, as "Generating a remote notification" has them.
@Suite struct `A notification with today's keys` {
  private func present(_ aps: String, _ localization: Localization = Localization()) throws -> Presentation {
    try #require(Presentation(payload: Array(#"{"aps":\#(aps)}"#.utf8), localization: localization))
  }

  private func json(_ shown: Presentation) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    shown.writeMembers(to: &writer)
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `a notification with today's keys shows title and subtitle, as they are and by their keys`()
    throws
  {
    let shown = try present(#"{"alert":{"title":"Goal","subtitle":"Reds","body":"1:0"}}"#)
    #expect(shown.alert == .init(text: "1:0", title: "Goal", subtitle: "Reds", buttons: ["Close", "View"]))
    #expect(shown.remarks == [])
    let strings = Localization(languages: [
      .init("en", LocalizableStrings(["T": "%@ scores", "S": "Minute %@", "B": "%1$@:%2$@"]))
    ])
    let alert = """
      {"alert":{"title-loc-key":"T","title-loc-args":["Ann"],"subtitle-loc-key":"S","subtitle-loc-args":["7"],
      "loc-key":"B","loc-args":["1","0"]}}
      """
    let localized = try present(alert, strings)
    #expect(localized.alert?.title == "Ann scores" && localized.alert?.subtitle == "Minute 7")
    #expect(localized.alert?.text == "1:0" && localized.alert?.language == "en")
    #expect(try present(#"{"alert":{"title":"Goal"}}"#).remarks == [])
  }

  @Test func `a notification with today's keys says where and how it is shown`() throws {
    let shown = try present(
      """
      {"alert":"x","thread-id":"game","category":"GOAL","target-content-id":"w1","mutable-content":1,
      "interruption-level":"time-sensitive","relevance-score":0.5,"filter-criteria":"work"}
      """
    )
    let text = json(shown)
    for part in [
      #""interruptionLevel":"time-sensitive""#, #""relevanceScore":0.5"#, #""threadId":"game""#,
      #""category":"GOAL""#, #""targetContentId":"w1""#, #""filterCriteria":"work""#,
      #""mutableContent":true"#,
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(shown.remarks == [])
    #expect(!json(try present(#"{"alert":"x"}"#)).contains("interruptionLevel"))
  }

  @Test(arguments: [
    (#"{"critical":1,"name":"alarm.caf","volume":0.25}"#, "alarm.caf", "0.25"),
    (#"{"critical":1,"name":"default"}"#, "default", "1"),
    (#"{"critical":0,"name":"alarm.caf"}"#, "alarm.caf", nil),
  ])
  func `a notification with today's keys plays a sound that breaks through silence`(
    sound: String,
    name: String,
    volume: String?
  ) throws {
    let shown = try present(#"{"sound":\#(sound)}"#)
    #expect(json(shown).contains(#""sound":"\#(name)""#))
    let found = shown.criticalSound.map { $0.volume ?? "1" }
    #expect(found == volume && shown.remarks == [])
  }

  @Test(arguments: [
    (
      #"{"interruption-level":"loud"}"#,
      "interruption-level 'loud' is none of passive, active, time-sensitive, critical"
    ),
    (#"{"interruption-level":"passive","sound":"default"}"#, "interruption-level passive: "),
    (#"{"relevance-score":2}"#, "relevance-score 2 is not from 0 to 1"),
    (#"{"relevance-score":"1"}"#, "relevance-score is not a number"),
    (#"{"mutable-content":1}"#, "mutable-content without an alert"),
    (#"{"mutable-content":"1","alert":"x"}"#, "mutable-content is not a number"),
    (#"{"sound":{"critical":1,"name":"a","volume":2}}"#, "sound.volume is not a number from 0 to 1"),
    (#"{"sound":{"name":"a","volume":1}}"#, "sound.volume is of critical alerts only"),
    (#"{"sound":{"critical":1}}"#, "sound has no name"),
    (#"{"thread-id":5}"#, "thread-id is not a string"),
    (#"{"alert":{"title":5,"body":"x"}}"#, "title is not a string"),
    (#"{"alert":{"title-loc-key":"T","title":"x","body":"y"}}"#, "title-loc-key takes precedence over title"),
  ])
  func `a notification with today's keys tells what a device would ignore`(aps: String, remark: String) throws
  {
    #expect(try present(aps).remarks.contains { $0.hasPrefix(remark) })
  }

  @Test func `a notification with today's keys reaches the inbox over both interfaces, with its badge`()
    throws
  {
    let simulator = try Samples.simulator { $0.payload = .lenient }
    let binary = try CoreProvider(samples: simulator)
    let requests = try CoreRequester(simulator)
    func payload(_ badge: Int) -> String {
      #"{"aps":{"alert":{"title":"T","body":"b"},"badge":\#(badge),"sound":{"critical":1,"name":"a.caf"}}}"#
    }
    binary.send(Samples.frame(1, payload: payload(3)))
    #expect(simulator.device("alice")?.apps.first?.badge == 3)
    requests.send(requests.request(body: payload(4)))
    #expect(simulator.device("alice")?.apps.first?.badge == 4)
    // Only a sound, and in today's way: what it comes by decides.
    requests.send(requests.request(body: #"{"aps":{"sound":{"critical":1,"name":"a.caf"}}}"#))
    requests.send(requests.request(body: #"{"aps":{"badge":0}}"#))
    #expect(simulator.device("alice")?.apps.first?.badge == 0)
    let shown = try #require(simulator.inbox(of: "alice")).notifications.map(\.presentation)
    #expect(shown.map { $0?.alert?.title } == ["T", "T", nil, nil])
    #expect(shown.map { $0?.sound } == [.file("a.caf"), .file("a.caf"), .file("a.caf"), .silent])
    #expect(shown.map { $0?.criticalSound != nil } == [true, true, true, false])
  }
}
