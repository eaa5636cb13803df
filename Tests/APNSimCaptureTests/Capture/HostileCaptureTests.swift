import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@testable import APNSimCapture

/// Captures that nobody wrote with good intentions: what they say of numbers costs neither time nor memory.
@Suite(.mustNotHang)
struct `A capture with numbers beyond belief` {
  private func reader(_ listener: Listener, _ lines: [String]) throws -> CaptureReader {
    let opened =
      #""connectionOpened","connection":"c1","listener":"\#(listener.rawValue)","#
      + #""provider":{"topic":"com.example.app"},"device":"bob"}"#
    let events = ([opened] + lines).enumerated().map {
      #"{"seq":\#($0.offset + 1),"time":"2012-06-01T00:00:00.000Z","event":\#($0.element)"#
    }
    return try NativeCapture.reader([#"{"apnsim":"journal","version":1}"#] + events)
  }

  private func replay(_ listener: Listener, _ lines: [String]) throws -> ReplayResult {
    try Replay(reader(listener, lines)).run()
  }

  @Test(arguments: ["0", "-1", "1e9", "\"7\""])
  func `a capture begins at 1 where its header gives a number that no event has`(completeFrom: String) throws
  {
    let header = #"{"apnsim":"journal","version":1,"completeFrom":\#(completeFrom)}"#
    let lines = [1, 3].map { #"{"seq":\#($0),"time":"2012-06-01T00:00:00.000Z","event":"x"}"# }
    let reader = try NativeCapture.reader([header] + lines)
    while reader.next() != nil {}
    #expect(reader.header.completeFrom == 1)
    #expect(reader.gaps.placedText == "line 3: event 2 is missing")
  }

  @Test(arguments: [
    (UInt64(0), UInt64(0), "event 0 is missing"), (0, 1, "event 0 is missing"),
    (0, .max, "events 0 to 18446744073709551614 are missing"), (1, 0, "event 0 is there twice"),
    (.max, 0, "event 0 comes after event 18446744073709551614: the lines are out of order"),
  ])
  func `a capture says where its lines do not go on`(expected: UInt64, found: UInt64, text: String) {
    #expect(CaptureGap(line: 2, expected: expected, found: found).description == text)
  }

  @Test func `a capture names the first ten places where lines are missing, and the line of the first`() {
    var gaps = CaptureGaps()
    #expect(gaps.text == nil && gaps.placedText == nil)
    for number in 1...1000 as ClosedRange<UInt64> {
      gaps.add(CaptureGap(line: Int(number) + 1, expected: 2 * number, found: 2 * number + 1))
      guard number < 12 else { continue }
      let told = (1...min(10, number)).map { "event \(2 * $0) is missing" }.joined(separator: ", ")
      #expect(gaps.text == told + (number > 10 ? " and 1 more such place" : ""))
    }
    #expect(gaps.places.count == 100 && gaps.text?.hasSuffix(" and 990 more such places") == true)
    #expect(gaps.placedText?.hasPrefix("line 2: event 2 is missing, event 4 is missing") == true)
  }

  @Test func `a capture's bytes that no frame can be made of are counted`() throws {
    let result = try replay(.gateway, [#""bytesIn","connection":"c1","bytes":"/wAA","count":1099511627776}"#])
    #expect(result.damage == nil && result.missingBytes == 0)
  }

  @Test func `nobody waits for a frame of which the rest is only counted`() throws {
    // The header of a frame of command 1, whose token and payload are nothing but a number.
    let result = try replay(
      .gateway,
      [#""bytesIn","connection":"c1","bytes":"AQAAAAE=","count":1099511627776}"#]
    )
    #expect(result.damage == nil)
  }

  @Test func `an endless line of a device is taken for what is too long`() throws {
    let result = try replay(.device, [#""bytesIn","connection":"c1","bytes":"e30=","count":1099511627776}"#])
    #expect(result.damage == nil)
  }

  @Test func `missing bytes are added up beyond 32 bits`() throws {
    let line = #""bytesMissing","connection":"c1","direction":"in","count":1099511627776}"#
    #expect(try replay(.gateway, [line, line, line]).missingBytes == 3 << 40)
  }

  @Test func `nothing is kept of connections that a capture does not begin but their number`() throws {
    let unknown = (1...500).flatMap { number in
      [#""bytesOut""#, #""errorSent""#].map { #"\#($0),"connection":"c\#(2 * number)","bytes":"CAUAAAAB"}"# }
    }
    let frame = Base64.encode(NativeCapture.frame(1))
    let known = #""notification","id":"n1","connection":"c1","outcome":"delivered","raw":"\#(frame)"}"#
    let replay = try Replay(reader(.gateway, unknown + [known]))
    var kept: [Int] = []
    let result = replay.run(observe: { _ in kept.append(replay.connections.count) })
    #expect(kept == [1])
    #expect(result.uncompared[.gaps] == 500 && !result.comparesEverything && result.hasRecordedAnswers)
  }

  @Test func `a frame whose rest comes byte by byte is one that comes at once`() throws {
    let frame = NativeCapture.frame(7) + NativeCapture.frame(8)
    let rejected =
      #""notification","id":"n1","connection":"c1","outcome":"rejected","status":5,"raw":"\#(Base64.encode(frame.prefix(50)))"}"#
    func digest(_ rest: [ArraySlice<UInt8>]) throws -> CaptureDigest {
      let lines = rest.map { #""bytesIn","connection":"c1","bytes":"\#(Base64.encode($0))"}"# }
      return CaptureDigest(try reader(.gateway, [rejected] + lines), isFilled: false)
    }
    let whole = try digest([frame[50...]])
    let cut = try digest(frame.indices.dropFirst(50).map { frame[$0...$0] })
    #expect(whole.items.map(\.label) == ["00000007", "00000008"])
    #expect(CaptureDiff(whole, cut, comparesTimes: true, comparesConnections: true).isSame)
  }

  @Test(arguments: ["1099511627777", "9223372036854775807", "-1", "1e9", "\"7\""])
  func `a capture is damaged where no connection has as many bytes`(count: String) throws {
    for line in [
      #""bytesMissing","connection":"c1","direction":"in","count":\#(count)}"#,
      #""bytesIn","connection":"c1","bytes":"AAAA","count":\#(count)}"#,
    ] {
      let reason = try replay(.gateway, [line]).damage?.reason
      #expect(reason?.contains(#"expected "count" with a number from 0 to 2^40"#) == true)
    }
  }
}
