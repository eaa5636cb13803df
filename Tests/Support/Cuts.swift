import APNSimCore

/// Ways to cut a byte stream into writes; no answer may depend on them.
package enum Cuts: Sendable, CustomStringConvertible {
  case whole
  case everyByte
  case seeded(UInt64)

  package static let all: [Cuts] = [.whole, .everyByte, .seeded(1), .seeded(2), .seeded(3), .seeded(4)]

  package var description: String {
    switch self {
    case .whole: "whole"
    case .everyByte: "byte by byte"
    case .seeded(let seed): "cut by seed \(seed)"
    }
  }

  package func pieces(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    switch self {
    case .whole: return bytes.isEmpty ? [] : [bytes[...]]
    case .everyByte: return bytes.indices.map { bytes[$0...$0] }
    case .seeded(let seed):
      var generator = SeededGenerator(seed: seed)
      var pieces: [ArraySlice<UInt8>] = []
      var start = 0
      while start < bytes.count {
        let most = [1, 3, 17, 70, 400].randomElement(using: &generator) ?? 1
        let end = min(bytes.count, start + Int.random(in: 1...most, using: &generator))
        pieces.append(bytes[start..<end])
        start = end
      }
      return pieces
    }
  }
}
