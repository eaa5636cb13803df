#if os(Linux)
  import Foundation
  import Testing

  @Suite struct `The program` {
    /// Half of the program's size would be tables of languages, which come with Foundation.
    @Test func `loads FoundationEssentials, not Foundation`() throws {
      let program = try Data(contentsOf: Binary.url, options: .alwaysMapped)
      func names(_ library: String) -> Bool {
        program.range(of: Data([0] + Array(library.utf8) + [0])) != nil
      }
      #expect(names("libFoundationEssentials.so"))
      #expect(!names("libFoundation.so"))
      #expect(!names("lib_FoundationICU.so"))
    }
  }
#endif
