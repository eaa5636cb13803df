import Testing

@testable import APNSimCore

/// What parts of the state write, and reading it back.
enum StateBytes {
  static func of(_ write: (inout StateWriter) -> Void) -> [UInt8] {
    var state = StateWriter()
    write(&state)
    return state.array
  }

  /// Reads a part, to the last byte.
  static func read<Part>(
    _ bytes: some Collection<UInt8>,
    _ body: (inout StateReader) throws -> Part
  ) throws -> Part {
    try Array(bytes).withUnsafeBytes { bytes in
      var state = StateReader(bytes)
      let part = try body(&state)
      #expect(state.isAtEnd)
      return part
    }
  }

  /// Expects that bytes cannot be read where their end is missing.
  static func expectNoPrefix<Part>(of bytes: [UInt8], _ body: (inout StateReader) throws -> Part) {
    for count in bytes.indices {
      #expect(throws: StateError.self, "\(count) of \(bytes.count) bytes") {
        try read(bytes.prefix(count), body)
      }
    }
  }
}
