#if os(Linux)
  import Foundation
  import Testing

  @testable import apnsim

  @Suite struct `The program` {
    /// Swift's own knowledge of it comes from /proc, which need not be there.
    @Test func `the program knows its command line from the system's library`() {
      #expect(ProcessArguments.all == CommandLine.arguments)
      #expect(!ProcessArguments.all.isEmpty)
    }

    /// Half of the program's size would be tables of languages, which come with Foundation.
    @Test func `the program loads FoundationEssentials, not Foundation`() throws {
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
