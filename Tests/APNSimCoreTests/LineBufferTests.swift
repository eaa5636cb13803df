import Testing

@testable import APNSimCore

@Suite struct `A line buffer` {
  @Test func `a line buffer writes times as their texts, also those that no text can say`() {
    let buffer = LineBuffer()
    let moments: [Int64] = [
      1_338_508_800_123, 1_338_508_800_007, 253_402_300_799_998, 253_402_300_800_123, 253_402_300_800_456,
      .max, .max - 1, 0, -1, -62_167_219_200_001, -62_167_219_200_500, .min, .min + 1, -62_167_219_199_999,
    ]
    for moment in moments.map({ Timestamp(rawValue: $0) }) {
      buffer.removeAll()
      buffer.reserve(24)
      buffer.put(moment)
      #expect(String(decoding: buffer.bytes, as: UTF8.self) == moment.description)
    }
  }
}
