import APNSimCore
import Testing

@testable import APNSimCapture

@Suite struct `Wall times of a capture` {
  /// The wall's seconds, from the first line on, at which the lines were written.
  private func seconds(_ lines: [(time: String, members: String)]) throws -> [Int64] {
    let text =
      [#"{"apnsim":"journal","version":1}"#]
      + lines.enumerated().map { number, line in
        #"{"seq":\#(number + 1),"time":"2012-06-\#(line.time)Z",\#(line.members)}"#
      }
    let reader = try CaptureReader(name: "x", bytes: Array((text.joined(separator: "\n") + "\n").utf8))
    var wall = CapturedWallTime()
    let start = Timestamp("2012-06-01T00:00:00Z") ?? Timestamp(rawValue: 0)
    var times: [Int64] = []
    while let entry = reader.next() {
      times.append((wall.time(of: entry, in: reader) - start).milliseconds / 1000)
    }
    return times
  }

  private static let news = #""event":"news""#
  private static func command(_ text: String, wall: String? = nil) -> String {
    #""event":"command","do":{\#(text)}"# + (wall.map { #","wall":"2012-06-01T\#($0)Z""# } ?? "")
  }

  @Test func `a clock that nobody touched shows the wall's time`() throws {
    #expect(try seconds([("01T00:00:00.000", Self.news), ("01T00:00:07.000", Self.news)]) == [0, 7])
  }

  @Test func `an advance takes no time, nor does what it makes happen`() throws {
    let lines = [
      ("01T00:00:01.000", Self.command(#""clock.advance":"1d""#)), ("01T12:00:00.000", Self.news),
      ("02T00:00:03.000", Self.news),
      ("02T00:00:04.000", Self.command(#""clock.advance":"1d""#, wall: "00:00:04.000")),
      ("03T00:00:05.000", Self.news),
    ]
    #expect(try seconds(lines) == [1, 1, 3, 4, 5])
  }

  @Test func `a clock that is set, stopped and started again shows the wall's time after it`() throws {
    let lines = [
      ("01T00:00:01.000", Self.command(#""clock.set":"2012-06-11T00:00:00Z""#)),
      ("11T00:00:01.000", Self.command(#""clock.freeze":true"#, wall: "00:00:02.000")),
      ("11T00:00:01.000", Self.news),
      ("11T00:00:01.000", Self.command(#""clock.resume":true"#, wall: "00:01:00.000")),
      ("11T00:00:02.000", Self.news),
      ("11T00:00:10.000", Self.command(#""reset":true"#, wall: "00:01:09.000")),
      ("01T00:01:10.000", Self.news),
    ]
    #expect(try seconds(lines) == [1, 2, 2, 60, 61, 69, 70])
  }

  @Test func `the wall time of a capture never goes back, and times beyond all bounds are no trap`() throws {
    let lines = [
      ("02T00:00:00.000", Self.news), ("01T00:00:00.000", Self.news),
      ("01T00:00:00.000", Self.command(#""clock.advance":"9223372036854775807ms""#)),
      ("01T00:00:00.000", Self.news),
    ]
    #expect(try seconds(lines) == [86_400, 86_400, 86_400, 86_400])
  }
}
