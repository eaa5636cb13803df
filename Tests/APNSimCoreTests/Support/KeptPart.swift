import Testing

@testable import APNSimCore

/// The bytes that a part of the state wrote, and what is read from them.
struct KeptPart {
  var bytes: [UInt8]

  init(_ write: (inout StateWriter) -> Void) {
    var state = StateWriter()
    write(&state)
    bytes = state.array
  }

  /// Reads the part, and all of it.
  func read<Part>(_ body: (inout StateReader) throws -> Part) throws -> Part {
    try bytes.withUnsafeBytes { bytes in
      var state = StateReader(bytes)
      let part = try body(&state)
      guard state.isAtEnd else { throw state.error("the part was expected to end") }
      return part
    }
  }

  /// Expects that nothing is read from fewer bytes.
  func expectNoneOfFewerBytes<Part>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (inout StateReader) throws -> Part
  ) {
    for count in bytes.indices {
      var cut = self
      cut.bytes.removeLast(bytes.count - count)
      #expect(throws: StateError.self, sourceLocation: sourceLocation) { _ = try cut.read(body) }
    }
  }
}
