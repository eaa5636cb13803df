import APNSimCapture
import APNSimTestSupport
import Foundation
import Testing

@testable import APNSimImport

private let reports = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .appendingPathComponent("../../../fixtures/reports").standardized

private func path(_ name: String) -> String { reports.appendingPathComponent(name).path }

/// A pcap file as a smaller snap length leaves it.
private func cut(_ name: String, to length: Int, in folder: TemporaryDirectory) throws -> String {
  let whole = [UInt8](try Data(contentsOf: reports.appendingPathComponent(name)))
  var bytes = Array(whole.prefix(24))
  var rest = whole.dropFirst(24)
  while rest.count >= 16 {
    let header = Array(rest.prefix(16))
    let captured = Int(header[8]) | Int(header[9]) << 8 | Int(header[10]) << 16
    let kept = min(captured, length)
    bytes += header[..<8] + [UInt8(kept & 0xFF), UInt8(kept >> 8), 0, 0] + header[12...]
    bytes += rest.dropFirst(16).prefix(kept)
    rest = rest.dropFirst(16 + captured)
  }
  return try folder.write("cut-\(length).pcap", bytes)
}

/// Captures of which parts are not there, or not understood, and what is said of them.
@Suite struct `Captures that are cut, encapsulated or foreign` {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test(arguments: ["tls-whole.pcap", "plain.pcap"], [54, 55, 56, 57, 60, 66, 67, 68, 70, 80, 96])
  func `packets that were cut are said to be, at any snap length`(name: String, length: Int) throws {
    let file = try cut(name, to: length, in: folder)
    do {
      let (_, summary) = try ImportSpy.run([file])
      // An answer of six bytes may fit, or a part of it.
      #expect(name == "plain.pcap" && summary.frames == 0 && (1...6).contains(summary.bytesOut))
      #expect((summary.files.first?.cutData ?? 0) > 0)
    } catch let error as ImportError {
      #expect(error.kind == .unusable)
      #expect(error.message.contains("are cut inside their data") || error.message.contains("cut off before"))
      #expect(error.hints == ["tcpdump -s 0 keeps packets whole"])
    }
  }

  @Test func `a mirrored conversation is the same one`() throws {
    let plain = try ImportSpy.run([path("plain.pcap")])
    let mirrored = try ImportSpy.run([path("plain-vxlan.pcap")])
    #expect(mirrored.entries.map(\.kind) == plain.entries.map(\.kind))
    #expect(mirrored.summary.frames == 2 && mirrored.summary.bytesOut == 6)
  }

  @Test(
    arguments: [
      ("snoop\0\0\0\0\0\0\u{2}", "a capture of snoop"),
      ("GMBU....", "a capture of Microsoft Network Monitor"),
      ("PK\u{3}\u{4}....", "a zip archive"), ("BZh91AY", "a file compressed with bzip2"),
    ]
  )
  func `files of other kinds are named for what they are`(text: String, name: String) throws {
    let file = try folder.write("x", Array(text.utf8))
    let error = #expect(throws: ImportError.self) { try ImportSpy.run([file]) }
    #expect(error?.message == "is \(name), which is not read")
    let xz = try folder.write("y", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 1])
    #expect(throws: ImportError.self) { try ImportSpy.run([xz]) }
  }
}

private let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""

extension StartingPrograms {
  @Suite(.enabled(if: TShark.find(searchPath) != nil, "there is no tshark"))
  struct `A capture with its key log` {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    @Test func `a cut capture with its key log is cut, and not one without TLS`() throws {
      var options = ImportOptions()
      options.keyLog = path("tls.keys")
      options.searchPath = searchPath
      for file in [path("tls-cut-to-96.pcap"), try cut("tls-whole.pcap", to: 66, in: folder)] {
        let error = #expect(throws: ImportError.self) { try ImportSpy.run([file]) { $0 = options } }
        #expect(error?.message.contains("are cut inside their data") == true, "\(String(describing: error))")
      }
    }

    @Test func `a key log with a byte order mark, or in UTF-16, has its secrets`() throws {
      var options = ImportOptions()
      options.searchPath = searchPath
      let text = try String(contentsOfFile: path("tls.keys"), encoding: .utf8)
      let wide: [UInt8] = text.utf16.reduce(into: [0xFF, 0xFE]) {
        $0 += [UInt8(truncatingIfNeeded: $1), UInt8($1 >> 8)]
      }
      for keys in [path("tls.keys"), path("tls-bom.keys"), try folder.write("wide.keys", wide)] {
        options.keyLog = keys
        let (_, summary) = try ImportSpy.run([path("tls-whole.pcap")]) { $0 = options }
        #expect(summary.decryptedConnections == 1 && summary.frames == 2, "\(keys)")
      }
    }
  }
}
