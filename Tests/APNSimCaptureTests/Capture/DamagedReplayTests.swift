import APNSimTestSupport
import Testing

@testable import APNSimCapture

@Suite struct `A replay of a damaged capture` {
  @Test(arguments: [0, 1, 2])
  func `a replay compares what stands before the damage, and not the line it is in`(damaged: Int) throws {
    let frames = NativeCapture.frame(1) + NativeCapture.frame(2) + NativeCapture.frame(3)
    let lines = try NativeCapture.lines([frames])
    let notifications = lines.indices.filter { lines[$0].contains(#""event":"notification""#) }
    try #require(notifications.count == 3)
    var bytes: [UInt8] = []
    for (place, line) in lines.enumerated() {
      var line = Array(line.utf8)
      if place == notifications[damaged] { Self.damage(&line) }
      bytes += line + [0x0A]
    }
    for isLooked in [false, true] {
      let result = try Replay(CaptureReader(name: "x", bytes: bytes)).run(observe: isLooked ? { _ in } : nil)
      #expect(result.damage?.line == notifications[damaged] + 1)
      #expect(result.comparesJournal && result.isSame, "\(String(describing: result.firstDifference))")
      #expect(result.notifications == UInt64(damaged))
    }
  }

  /// A byte inside of the frame becomes one that Base64 does not have.
  private static func damage(_ line: inout [UInt8]) {
    let raw = line.firstRange(of: Array(#""raw":""#.utf8))?.upperBound ?? line.startIndex
    line[raw + 20] ^= 0x80
  }
}
