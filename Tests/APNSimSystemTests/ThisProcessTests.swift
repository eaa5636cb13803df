import APNSimSystem
import APNSimTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.mustNotHang) struct `This process` {
  @Test func `the process has its number, its user and a limit of open files that it keeps to`() throws {
    #expect(ThisProcess.identifier == Int(ProcessInfo.processInfo.processIdentifier))
    #expect(ThisProcess.user == Int(getuid()))
    let before = ThisProcess.openDescriptorCount
    #expect(before > 2 && before <= ThisProcess.descriptorLimit)
  }

  @Test func `a thread is run with its argument`() {
    let given = Given()
    #expect(
      ThisProcess.startThread(Unmanaged.passRetained(given).toOpaque()) { argument in
        ThisProcess.lowerThreadWeight(to: 1)
        if let argument { Unmanaged<Given>.fromOpaque(argument).takeRetainedValue().come.signal() }
        return nil
      }
    )
    given.come.wait()
  }

  private final class Given: Sendable {
    let come = DispatchSemaphore(value: 0)
  }

  @Test func `a signal is ignored until it is handled`() {
    #expect(!Signals.isIgnored(SIGWINCH))
    signal(SIGWINCH, SIG_IGN)
    #expect(Signals.isIgnored(SIGWINCH))
    Signals.handle(SIGWINCH) { _ in }
    #expect(!Signals.isIgnored(SIGWINCH))
  }

  @Test func `no clock goes back, and the real time is Foundation's`() {
    let before = (SystemClock.elapsedTime, SystemClock.wakingTime)
    #expect(SystemClock.elapsedTime >= before.0 && SystemClock.wakingTime >= before.1)
    let early = Date().timeIntervalSince1970
    let time = Double(SystemClock.realTime.inNanoseconds) / 1e9
    #expect(time >= early - 1 && time <= Date().timeIntervalSince1970 + 1)
  }
}

@Suite struct `The text of an address` {
  @Test func `the text of an address has four or sixteen bytes, or is none`() {
    #expect(AddressText.ipv4("10.0.0.1") == [10, 0, 0, 1] && AddressText.ipv4("::1") == nil)
    #expect(AddressText.ipv6("fe80::1") == [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1])
    #expect(AddressText.ipv6("10.0.0.1") == nil && AddressText.ipv4("10.0.0") == nil)
  }
}
