import APNSimCore
import Testing

@testable import APNSimCapture

@Suite struct `What a diff knows notifications by` {
  @Test func `places come in their order, whoever shares their chain`() {
    let keys = [7, 3, 7, 9, 3, 7]
    for hash in [{ (_: Int) in 0 }, { keys[$0] }, { -keys[$0] }] {
      var places = CandidateIndex(count: keys.count, hash: hash)
      func found(_ key: Int, most: Int = 64) -> [Int] {
        var found: [Int] = []
        let place = keys.firstIndex(of: key) ?? 0
        places.find(hash(place), most: most, into: &found) { keys[$0] == key }
        return found
      }
      #expect(found(7) == [0, 2, 5] && found(3) == [1, 4] && found(7, most: 2) == [0, 2])
      places.remove(2, hash(2))
      places.remove(1, hash(1))
      #expect(found(7) == [0, 5] && found(3) == [4] && found(9) == [3])
      for place in [5, 4, 3, 0] { places.remove(place, hash(place)) }
      #expect(found(7) == [] && found(3) == [] && found(9) == [])
    }
    var none = [1]
    CandidateIndex(count: 0) { _ in 0 }.find(5, most: 1, into: &none) { _ in true }
    #expect(none.isEmpty)
  }

  @Test func `a fingerprint is of every byte and of how many there are, wherever they lie`() {
    let bytes = (0..<67).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    var seen: Set<Fingerprint> = []
    for count in 0...bytes.count {
      let text = Array(bytes[..<count])
      let fingerprint = text.withUnsafeBytes { Fingerprint(of: $0) }
      #expect(seen.insert(fingerprint).inserted)
      let moved = ([0xFF] + text).withUnsafeBytes {
        Fingerprint(of: UnsafeRawBufferPointer(rebasing: $0[1...]))
      }
      #expect(moved == fingerprint)
      for place in text.indices {
        for bit in 0..<8 {
          var other = text
          other[place] ^= 1 << UInt8(bit)
          let changed = other.withUnsafeBytes { Fingerprint(of: $0) }
          #expect(changed.low != fingerprint.low && changed.high != fingerprint.high)
        }
      }
    }
    let zeros = (0..<20).map { [UInt8](repeating: 0, count: $0).withUnsafeBytes { Fingerprint(of: $0) } }
    #expect(Set(zeros).count == zeros.count)
  }

  @Test func `a table of texts keeps each one once`() {
    var table = TextTable()
    let texts: [[UInt8]] = [[], [1], [1, 2], [2], [1], [], [1, 2]]
    let numbers = texts.map { $0.withUnsafeBytes { table.number(of: $0) } }
    #expect(numbers == [0, 1, 2, 3, 1, 0, 2] && table.count == 4)
    #expect((0..<4).map { Array(table[$0]) } == [[], [1], [1, 2], [2]])
    #expect(table.known([1, 2][...]) == 2 && table.known([3][...]) == nil)
  }
}
