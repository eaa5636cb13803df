import APNSimCapture
import APNSimCore
import APNSimWire
import Foundation
import Testing

@testable import APNSimImport

/// The captures in fixtures/captures, against what the clients were told to send.
@Suite struct `Shipped captures` {
  private struct Story: Decodable {
    struct Connection: Decodable {
      var listener: String
      var command: UInt8?
      var tokens: [String]
      var answer: String
    }
    var connections: [Connection]
  }

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("fixtures/captures")

  private func story() throws -> [Story.Connection] {
    let data = try Data(contentsOf: Self.folder.appendingPathComponent("expected.json"))
    return try JSONDecoder().decode(Story.self, from: data).connections
  }

  /// The commands and tokens of a stream's frames.
  private func frames(_ bytes: [UInt8]) -> [(command: UInt8, token: String)] {
    var found: [(UInt8, String)] = []
    var offset = 0
    bytes.withUnsafeBytes { buffer in
      while let frame = FrameDecoder.next(in: buffer, from: offset, mode: .reading) {
        found.append((frame.command, Hex.encode(buffer[frame.token])))
        offset = frame.end
      }
    }
    #expect(offset == bytes.count)
    return found
  }

  @Test(arguments: ["clients-plain.pcapng", "clients.jsonl.gz"])
  func `the whole story is told by packets and by the journal`(name: String) throws {
    let (entries, summary) = try ImportSpy.run([Self.folder.appendingPathComponent(name).path])
    var opened: [CapturedConnection] = []
    var sent: [ConnectionID: [UInt8]] = [:]
    var answers: [ConnectionID: [UInt8]] = [:]
    for entry in entries {
      switch entry.kind {
      case .connectionOpened(let connection): opened.append(connection)
      case .bytesIn(let id, let bytes, _, _): sent[id, default: []] += bytes
      case .bytesOut(let id, let bytes): answers[id, default: []] += bytes
      default: break
      }
    }
    let story = try story()
    #expect(opened.map(\.listener.rawValue) == story.map(\.listener))
    for (connection, expected) in zip(opened, story) {
      let frames = frames(sent[connection.id] ?? [])
      #expect(frames.map(\.token) == expected.tokens)
      #expect(frames.allSatisfy { $0.command == expected.command })
      #expect(Hex.encode(answers[connection.id] ?? []) == expected.answer)
    }
    #expect(summary.frames == story.reduce(0) { $0 + $1.tokens.count })
    #expect(summary.gaps == 0 && summary.damage.isEmpty && summary.unreadableTails == 0)
  }

  @Test(arguments: ["apns3.raw", "apns3.hex", "apns3.xxd", "apns3.hexdump"])
  func `one connection is the same in every form`(name: String) throws {
    let (entries, summary) = try ImportSpy.run([Self.folder.appendingPathComponent(name).path])
    var sent: [UInt8] = []
    for entry in entries { if case .bytesIn(_, let bytes, _, _) = entry.kind { sent += bytes } }
    let expected = try story()[2]
    #expect(frames(sent).map(\.token) == expected.tokens)
    #expect(summary.files.map(\.kind) == [name.hasSuffix("raw") ? .raw : .hex])
  }
}
