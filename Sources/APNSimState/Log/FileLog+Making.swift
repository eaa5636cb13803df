import APNSimSystem
import Dispatch
import Synchronization

extension FileLog {
  /// Gives up a segment that could not be begun; another one is made, when that can be.
  func giveUp(_ segment: LogSegment) {
    shared.withLock { $0.hasFailed = true }
    making.asyncAfter(deadline: .now() + .milliseconds(settings.retry)) { [weak self] in self?.makeNext() }
  }

  /// Makes the next segment; again and again, if it cannot.
  func makeNext(retry: Int? = nil) {
    guard let ordinal = shared.withLock({ $0.next == nil && !$0.isClosed ? $0.segments.last?.ordinal : nil })
    else {
      return
    }
    let draft = directory.path(.logDraft(ordinal + 1))
    do throws(SystemError) {
      try directory.checkPlace()
      let segment = try settings.make(draft, settings.segmentByteCount)
      shared.withLock { shared in
        shared.next = segment
        shared.hasFailed = false
      }
      if short.load(ordering: .relaxed) { tell(.foundRoom) }
    } catch {
      let isFirst = shared.withLock { shared in
        defer { shared.hasFailed = true }
        return !shared.hasFailed
      }
      fail(.making, "\(draft): \(error.words)", isRepeated: !isFirst)
      let delay = retry ?? settings.retry
      making.asyncAfter(deadline: .now() + .milliseconds(delay)) { [weak self] in
        self?.makeNext(retry: min(delay * 2, 1000))
      }
    }
  }
}
