import APNSimWire
import Testing

@testable import APNSimCore

@Suite struct `Feedback that is kept` {
  private static func tuple(_ number: UInt32) -> FeedbackTuple {
    FeedbackTuple(timestamp: number, token: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 32))
  }

  static func ledger(_ count: UInt32, limit: Int = 10_000) -> FeedbackLedger {
    var ledger = FeedbackLedger(limit: limit)
    for number in 0..<count { ledger.append(tuple(number)) }
    return ledger
  }

  private static func kept(_ ledger: FeedbackLedger) -> KeptPart { KeptPart { ledger.write(to: &$0) } }

  private static func read(_ part: KeptPart, limit: Int = 10_000) throws -> FeedbackLedger {
    var ledger = try part.read { try FeedbackLedger(reading: &$0) }
    ledger.limit = limit
    return ledger
  }

  @Test(arguments: [0, 1, 76, 16_384, 1_000_000])
  func `a list goes on as it was, read in part or to its end`(taken: Int) throws {
    var ledger = Self.ledger(2000)
    _ = ledger.take(maximumBytes: taken, from: nil)
    if taken == 1_000_000 { while ledger.count > 0 { _ = ledger.take(maximumBytes: taken, from: nil) } }
    var other = try Self.read(Self.kept(ledger))
    #expect(Self.kept(other).bytes == Self.kept(ledger).bytes)
    #expect(other.tuples == ledger.tuples)
    #expect(other.count == ledger.count && other.end == ledger.end)
    let positions = (0..<500).map { _ in (ledger.append(Self.tuple(7)), other.append(Self.tuple(7))) }
    #expect(positions.allSatisfy { $0 == $1 })
    let renewed = [
      ledger.renew(position: 38 * 1000, timestamp: 9), other.renew(position: 38 * 1000, timestamp: 9),
    ]
    #expect(renewed[0] == renewed[1])
    while ledger.count > 0 {
      let (bytes, count) = ledger.take(maximumBytes: 5000, from: nil)
      let (otherBytes, otherCount) = other.take(maximumBytes: 5000, from: nil)
      #expect(otherBytes == bytes && otherCount == count)
    }
    #expect(other.count == 0)
  }

  @Test func `a list that was cut at its limit is cut there again`() throws {
    var ledger = Self.ledger(2000, limit: 900)
    var other = try Self.read(Self.kept(ledger), limit: 900)
    #expect(other.count == 900)
    let positions = [ledger.append(Self.tuple(1)), other.append(Self.tuple(1))]
    #expect(positions[0] == positions[1])
    #expect(Self.kept(other).bytes == Self.kept(ledger).bytes)
    var shorter = try Self.read(Self.kept(ledger), limit: 5)
    shorter.append(Self.tuple(1))
    #expect(shorter.count == 5)
  }

  @Test func `a list of nothing but whole tuples is read`() {
    var ledger = Self.ledger(3)
    _ = ledger.take(maximumBytes: 38, from: nil)
    let kept = Self.kept(ledger)
    // Where it begins, where it ends, how many blocks and bytes there are, and the length of the first token.
    for place in [0, 7, 8, 15, 16, 24, 37] {
      var part = kept
      part.bytes[place] ^= 0x21
      #expect(throws: StateError.self) { _ = try Self.read(part) }
    }
  }

  @Test func `scripted tuples keep their numbers`() throws {
    var scripted = ScriptedFeedback()
    let numbers = (0..<5).map { scripted.add(Self.tuple($0), app: UInt16($0 % 2)) }
    _ = scripted.take(numbers[1])
    let kept = KeptPart { scripted.write(to: &$0) }
    var other = try kept.read { try ScriptedFeedback(reading: &$0) }
    #expect(other.namesOnly(apps: 2) && !other.namesOnly(apps: 1))
    let next = [scripted.add(Self.tuple(9), app: 0), other.add(Self.tuple(9), app: 0)]
    #expect(next[0] == next[1])
    for number in 0..<6 as Range<UInt32> {
      let (found, expected) = (other.take(number), scripted.take(number))
      #expect(found?.tuple == expected?.tuple && found?.app == expected?.app)
    }
  }
}
