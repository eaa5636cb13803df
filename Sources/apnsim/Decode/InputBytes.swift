import APNSimImport
import APNSimScenario
import APNSimWire

/// Bytes as people paste them: raw, as hex digits or a dump, or in Base64.
enum InputBytes {
  enum Format: String, CaseIterable, Sendable {
    case auto
    case raw
    case hex
    case base64
  }

  /// The bytes that a text or binary input stands for.
  ///
  /// The format `auto` is decided as `apnsim import` decides it; in addition, Base64 is recognised, and bytes that no
  /// provider would write are taken unchanged.
  /// - Parameter name: of the input, for messages.
  /// - Throws: `CommandFailure` when it is not of the format, or holds more than bytes of the protocol.
  static func read(_ input: [UInt8], as format: Format, name: String) throws(CommandFailure) -> [UInt8] {
    switch format {
    case .raw: return input
    case .hex: return try hex(input, name)
    case .base64:
      guard let bytes = HexDump.bytes(ofBase64: input.filter({ !isWhiteSpace($0) })) else {
        throw CommandFailure(.runtimeError, "\(name): is not Base64")
      }
      return bytes
    case .auto: return try anything(input, name)
    }
  }

  private static func anything(_ input: [UInt8], _ name: String) throws(CommandFailure) -> [UInt8] {
    guard !input.isEmpty else { return [] }
    if input.starts(with: [0x1F, 0x8B]) {
      throw refused("a compressed file", name, "gunzip -c FILE | apnsim decode - decodes what is in it")
    }
    if input.starts(with: [0xFF, 0xFE]) || input.starts(with: [0xFE, 0xFF]) {
      throw refused("text in UTF-16", name, "save it as UTF-8")
    }
    let kind: CaptureKind
    do throws(ImportError) {
      kind = try CaptureKind.of(input, name: name)
    } catch {
      if error.kind == .unusable {
        throw CommandFailure(
          .runtimeError,
          error.description,
          hints: ["--format raw decodes it all the same"]
        )
      }
      guard isText(input) else { return input }
      do throws(CommandFailure) {
        return try text(input, name)
      } catch {
        if HexDump.isMeant(input[...]) { throw error }
        throw CommandFailure(
          .runtimeError,
          "\(name): expected hex digits, Base64 or protocol bytes, found other text",
          hints: ["--format raw decodes the characters' own bytes"]
        )
      }
    }
    switch kind {
    case .raw: return input
    case .pcap, .pcapng:
      throw refused("packets (\(kind.rawValue))", name, "\"apnsim import\" makes a capture of them")
    case .journal:
      throw refused(
        "a native capture",
        name,
        "\"apnsim inspect FILE\" shows it, \"apnsim replay FILE --offline\" judges all of it"
      )
    case .har: throw refused("an HTTP archive", name, "\"apnsim import\" makes a capture of it")
    case .hex: return try text(input, name)
    }
  }

  /// Hex, or Base64 where that is what it is: a wrong digit among many is a mistake.
  private static func text(_ input: [UInt8], _ name: String) throws(CommandFailure) -> [UInt8] {
    do throws(CommandFailure) {
      return try hex(input, name)
    } catch {
      guard !HexDump.isMeant(input[...]), let bytes = lines(ofBase64: input) else { throw error }
      return bytes
    }
  }

  private static func hex(_ input: [UInt8], _ name: String) throws(CommandFailure) -> [UInt8] {
    do throws(HexDump.Failure) {
      let (provider, answers) = try HexDump.directions(of: input[...])
      if !answers.isEmpty {
        Output.note(
          "note: \(Number.counted(answers.count, "byte")) of answers, \(Hex.encode(answers.prefix(38))), are left out"
        )
      }
      return provider
    } catch {
      throw CommandFailure(
        .runtimeError,
        "\(name)\(error.place): \(error.message)",
        hints: error.hint.map { [$0] } ?? []
      )
    }
  }

  /// A file that holds frames among other things (a capture, packets) is refused with advice.
  private static func refused(_ found: String, _ name: String, _ hint: String) -> CommandFailure {
    CommandFailure(.runtimeError, "\(name): expected protocol bytes, found \(found)", hints: [hint])
  }

  private static func base64(_ input: [UInt8]) -> [UInt8]? {
    Base64.decode(String(decoding: input.filter { !isWhiteSpace($0) }, as: UTF8.self))
  }

  /// Decodes Base64 as programs write it, in lines without spaces; a sentence may consist of its letters, too.
  private static func lines(ofBase64 input: [UInt8]) -> [UInt8]? {
    let lines = input.split { $0 == 0x0A || $0 == 0x0D }
    guard lines.allSatisfy({ $0.split(whereSeparator: isWhiteSpace).count <= 1 }) else { return nil }
    return base64(input)
  }

  private static func isText(_ input: [UInt8]) -> Bool {
    input.allSatisfy { (0x20..<0x7F).contains($0) || isWhiteSpace($0) }
  }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }
}
