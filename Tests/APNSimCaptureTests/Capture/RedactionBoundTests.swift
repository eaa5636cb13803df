import APNSimTestSupport
import Synchronization
import Testing

@testable import APNSimCapture

/// The memory of redaction, shown by the calls of its key.
@Suite struct `A redaction` {
  private final class Calls: Sendable {
    private let count = Atomic(0)

    /// The number of calls since this was last asked.
    func take() -> Int { count.exchange(0, ordering: .relaxed) }

    func pseudonyms() -> TokenPseudonyms {
      TokenPseudonyms { text in
        self.count.add(1, ordering: .relaxed)
        return (0..<32).map { UInt8(truncatingIfNeeded: text.count &* 31 &+ $0) }
      }
    }
  }

  private let calls = Calls()

  @Test(arguments: [1, 32, 100, 101, 65_535])
  func `a redaction remembers the pseudonyms of tokens, not of what is longer than one`(length: Int) {
    let pseudonyms = calls.pseudonyms()
    let token = [UInt8](repeating: 0xAA, count: length)
    let first = pseudonyms.of(token, length: length)
    #expect(first.count == length && calls.take() > 0)
    #expect(pseudonyms.of(token, length: length) == first)
    #expect((calls.take() == 0) == (length <= 100))
  }

  @Test func `a redacted frame that is not whole is not made again until more of it comes`() {
    let pseudonyms = calls.pseudonyms()
    var stream = FrameStream(
      FrameRedactor(pseudonyms: pseudonyms, strings: StringFilling(pseudonyms))
    )
    let frame = NativeCapture.frame(1)
    #expect(stream.receive(Array(frame.prefix(20))) == [])
    #expect(stream.give().count == 20 && calls.take() > 0)
    #expect(stream.give() == [] && calls.take() == 0)
    #expect(stream.receive(Array(frame.dropFirst(20))).count == frame.count - 20)
    #expect(stream.give() == [])
  }
}
