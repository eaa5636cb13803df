import APNSimTestSupport
import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import APNSimSystem

@Suite(.mustNotHang) struct `An open pipe` {
  private let ends: (reading: SystemFile, writing: SystemFile)

  init() throws { ends = try SystemFile.pipe() }

  @Test func `a pipe is written in order, whatever the offset`() throws {
    try ends.writing.write([1, 2], at: 100)
    try ends.writing.write([3], at: 0)
    #expect(try !ends.writing.isRegular && ends.reading.next(upTo: 9) == [1, 2, 3])
  }

  @Test func `a pipe is read to its end, or to a limit`() throws {
    try ends.writing.write([1, 2, 3])
    #expect(try ends.reading.rest(upTo: 2) == [1, 2])
    try ends.writing.close()
    #expect(try ends.reading.rest(upTo: 2) == [3] && ends.reading.next(upTo: 2).isEmpty)
  }

  @Test func `a pipe takes more than it has room for while somebody reads`() throws {
    let given = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let (reading, writing) = ends
    let writer = Thread {
      try? writing.write(given)
      try? writing.close()
    }
    writer.start()
    #expect(try reading.rest(upTo: 1 << 21) == given)
  }

  @Test func `a full pipe has no room, and one that nobody reads is an error without a signal`() throws {
    #expect(ends.writing.hasRoom(within: 0) && !ends.writing.hasLostReader)
    ends.writing.stopWaiting()
    #expect(throws: SystemError.self) { try ends.writing.write([UInt8](repeating: 0, count: 1 << 21)) }
    #expect(!ends.writing.hasRoom(within: 0))
    try ends.reading.close()
    #expect(ends.writing.hasLostReader)
    let error = #expect(throws: SystemError.self) {
      try Signals.withoutPipeSignal { () throws(SystemError) in try ends.writing.write([0]) }
    }
    #expect(error?.code == .brokenPipe)
  }

  @Test func `a read that signals interrupt goes on until there is something`() throws {
    Interrupting.prepare()
    let result = Mutex<[UInt8]?>(nil)
    let thread = Mutex<pthread_t?>(nil)
    let over = DispatchSemaphore(value: 0)
    let reading = ends.reading
    let reader = Thread {
      Interrupting.unblock()
      thread.withLock { $0 = pthread_self() }
      let bytes = try? reading.next(upTo: 9)
      result.withLock { $0 = bytes }
      over.signal()
    }
    reader.start()
    while Interrupting.count.load(ordering: .relaxed) < 50 {
      if let thread = thread.withLock({ $0 }) { pthread_kill(thread, SIGURG) }
      sched_yield()
    }
    try ends.writing.write([1])
    over.wait()
    #expect(result.withLock { $0 } == [1])
  }
}

/// A signal that interrupts what a thread waits for.
private enum Interrupting {
  static let count = Atomic(0)

  static func prepare() {
    signal(SIGURG) { _ in Interrupting.count.add(1, ordering: .relaxed) }
    // Otherwise the system makes the call again.
    var action = sigaction()
    sigaction(SIGURG, nil, &action)
    action.sa_flags &= ~SA_RESTART
    sigaction(SIGURG, &action, nil)
  }

  /// Has the calling thread take the signal, which threads of Dispatch, and those that they start, do not.
  static func unblock() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGURG)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
