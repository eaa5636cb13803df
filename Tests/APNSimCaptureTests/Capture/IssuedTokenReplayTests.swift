import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture

/// The app and device of a token stand in the lines after the input that needs them, so that such a replay looks ahead.
@Suite struct `A replay with issued tokens` {
  private static let header = #"{"apnsim":"journal","version":1}"#
  private static let opened =
    #""event":"connectionOpened","connection":"c1","listener":"gateway","peer":"","#
    + #""provider":{"topic":"com.example.app"}}"#
  private static let notification =
    #""event":"notification","id":"n1","connection":"c1","topic":"com.example.app","token":"\#(token)","#
    + #""command":1,"identifier":"00000001","outcome":"delivered","raw":"\#(frame)"}"#
  private static let token = String(repeating: "07", count: 32)
  private static let frame = Base64.encode(NativeCapture.frame(1))

  /// Lines a second apart, and numbered as they come unless a number stands before them.
  private static func reader(_ header: String, _ lines: [(seq: Int, text: String)]) throws -> CaptureReader {
    try NativeCapture.reader(
      [header]
        + lines.map { #"{"seq":\#($0.seq),"time":"2012-06-01T00:00:\#($0.seq + 10).000Z",\#($0.text)"# }
    )
  }

  /// The journal of a replay of lines that were recorded with tokens of any kind.
  private func journal(_ lines: [String]) throws -> [String] {
    var options = ReplayOptions()
    options.settings = [SettingAssignment(name: "tokens", text: "issued")]
    let replay = try Replay(
      Self.reader(Self.header, lines.enumerated().map { ($0.offset + 1, $0.element) }),
      options: options
    )
    let journal = MemoryJournal(replay.simulator)
    _ = replay.run()
    return journal.text.split(separator: "\n").map(String.init)
  }

  @Test func `a device's connection opens as it was, after a notification whose token is asked for`() throws {
    let lines = try journal([
      Self.opened, Self.notification,
      #""event":"connectionOpened","connection":"c2","listener":"device","peer":"","device":"bob","#
        + #""environment":"production","subject":""}"#,
      #""event":"deviceOnline","device":"alice"}"#,
      #""event":"connectionClosed","connection":"c2","reason":"peerClosed"}"#,
    ])
    let opened = lines.filter { $0.contains(#""listener":"device""#) }
    #expect(opened.count == 1 && opened.first?.contains(#""device":"bob""#) == true)
    #expect(!lines.contains { $0.contains("alice") })
  }

  @Test
  func `a replay with issued tokens refuses a connection for what it was refused for, and as whose it was`()
    throws
  {
    let lines = try journal([
      Self.opened, Self.notification,
      #""event":"connectionRefused","listener":"feedback","peer":"10.0.0.9:1","reason":"bad","subject":"CN=z"}"#,
      #""event":"deviceOnline","device":"alice"}"#,
    ])
    let refused = lines.filter { $0.contains(#""event":"connectionRefused""#) }
    #expect(refused.count == 1)
    #expect(refused.first?.contains(#""listener":"feedback","peer":"10.0.0.9:1""#) == true)
    #expect(refused.first?.contains(#""subject":"CN=z""#) == true)
  }

  @Test func `a replay takes the notification after missing lines, though what was due looks ahead`() throws {
    let scenario =
      #"{"timeline":[{"at":"1s","do":{"device.add":{"bob":{"apps":["com.example.app"]}}}}]}"#
    let header =
      #"{"apnsim":"journal","version":1,"seed":1,"clock":{"mode":"virtual","start":"2012-06-01T00:00:11.000Z"},"#
      + #""settings":{"tokens":"issued"},"scenario":\#(scenario)}"#
    let reader = try Self.reader(
      header,
      [
        (1, Self.opened), (2, #""event":"deviceOnline","device":"alice"}"#), (7, Self.notification),
        (8, #""event":"connectionClosed","connection":"c1","reason":"peerClosed"}"#),
      ]
    )
    let result = try Replay(reader).run()
    #expect(result.gaps.count == 1 && result.notifications == 1)
  }

  private func source(_ lengths: [Int], mostBytes: Int) throws -> ReplaySource {
    let lines = lengths.map { #""event":"deviceOnline","device":"\#(String(repeating: "x", count: $0))"}"# }
    let numbered = ([Self.opened] + lines).enumerated().map { ($0.offset + 1, $0.element) }
    return ReplaySource(try Self.reader(Self.header, numbered), mostBytes: mostBytes)
  }

  @Test func `a replay with issued tokens keeps the present line while it looks ahead`() throws {
    let source = try source([1, 2], mostBytes: 1 << 20)
    var line = NotificationLine()
    for expected in ["gateway", nil, nil] {
      #expect(source.advance(&line) == false && source.present() != nil)
      source.scanAhead { _, _ in }
      #expect(source.withFields { $0.string("listener") } == expected)
      let begin = #"{"seq":\#(source.count),"#
      #expect(source.withLine { $0.starts(with: begin.utf8) })
    }
    #expect(source.advance(&line) == nil)
  }

  @Test func `a replay with issued tokens looks no further ahead than so many bytes, and goes on from there`()
    throws
  {
    let source = try source([Int](repeating: 1000, count: 20), mostBytes: 5000)
    var line = NotificationLine()
    var seen = 0
    for entry in 1...21 {
      #expect(source.advance(&line) == false && source.present() != nil)
      source.scanAhead { _, _ in seen += 1 }
      // Each line has a little more than 1,000 bytes, and the last one that is begun is taken whole.
      #expect(seen == min(20, entry + 4))
    }
  }
}
