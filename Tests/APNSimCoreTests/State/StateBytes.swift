import Testing

@testable import APNSimCore

/// The bytes that parts of the state write, and reading them back.
enum StateBytes {
  static func of(_ write: (inout StateWriter) -> Void) -> [UInt8] {
    var state = StateWriter()
    write(&state)
    return state.array
  }

  /// Reads a part, and all of it, from memory that ends with the bytes.
  static func read<Part: ~Copyable>(
    _ bytes: some Collection<UInt8>,
    _ body: (inout StateReader) throws -> Part
  ) throws -> Part {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    defer { room.deallocate() }
    room.copyBytes(from: bytes)
    var state = StateReader(UnsafeRawBufferPointer(room))
    let part = try body(&state)
    guard state.isAtEnd else { throw state.error("the end was expected") }
    return part
  }

  /// Expects that bytes cannot be read where their end is missing.
  static func expectNoPrefix<Part: ~Copyable>(
    of bytes: [UInt8],
    _ body: (inout StateReader) throws -> Part
  ) {
    for count in bytes.indices {
      #expect(throws: StateError.self, "\(count) of \(bytes.count) bytes") {
        _ = try read(bytes.prefix(count), body)
      }
    }
  }
}
