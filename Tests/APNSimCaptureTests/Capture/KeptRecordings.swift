import APNSimCore
import APNSimGzip
import APNSimTestSupport
import Foundation
import Testing

@testable import APNSimCapture

/// The recordings in fixtures/captures/recorded, which version 0.1.0 made and which stay for good.
enum KeptRecordings {
  static let folder = Fixtures.root.appendingPathComponent("captures/recorded")

  /// The files that must be there, from the list with their sums: `HASH  runs/name.jsonl.gz` a line.
  static let names: [String] = {
    let list = (try? Fixtures.data("captures/recorded/SHA256SUMS")) ?? Data()
    return String(decoding: list, as: UTF8.self).split(separator: "\n").map { String($0.dropFirst(66)) }
  }()

  /// The uncompressed bytes of a file.
  static func bytes(of name: String) throws -> [UInt8] {
    let file = Array(try Data(contentsOf: folder.appendingPathComponent(name)))
    let inflater = try GzipInflater()
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var consumed = 0
    while !inflater.isAtEnd {
      let step = try file[consumed...].withUnsafeBytes { input in
        try piece.withUnsafeMutableBytes { try inflater.inflate(input, into: $0) }
      }
      guard step.consumed + step.produced > 0 else { break }
      consumed += step.consumed
      text += piece[..<step.produced]
    }
    #expect(inflater.isAtEnd && consumed == file.count)
    return text
  }

  /// The first line of a file.
  static func header(of name: String) throws -> String {
    String(decoding: try bytes(of: name).prefix { $0 != 0x0A }, as: UTF8.self)
  }

  /// The lines of a file, the header first.
  static func lines(of name: String) throws -> [String] {
    String(decoding: try bytes(of: name), as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// The journal of a replay, in memory.
final class ReplayedJournal: JournalRecorder, @unchecked Sendable {
  private(set) var bytes: [UInt8] = []

  init(_ replay: Replay) { replay.record(to: self) }

  func record(_ lines: UnsafeRawBufferPointer) { bytes.append(contentsOf: lines) }

  var lines: [String] { String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init) }
}
