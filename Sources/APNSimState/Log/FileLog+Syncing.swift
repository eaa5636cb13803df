import APNSimSystem
import Dispatch
import Synchronization

extension FileLog {
  /// Begins to wait for the disk once a second.
  func start() {
    guard settings.isSynced, !shared.withLock({ $0.isClosed }) else { return }
    syncing.asyncAfter(deadline: .now() + 1) { [weak self] in
      self?.sync()
      self?.start()
    }
  }

  /// Waits until what is in the log is on the disk, and notes that in it.
  func sync() {
    let start = settings.elapsed()
    let segments = shared.withLock { $0.unsynced }
    var isDone = false
    for segment in segments {
      // In this order: what is over by then is used up by then.
      let isOver = segment.isOver.load(ordering: .acquiring)
      let used = segment.used.load(ordering: .acquiring)
      if used != segment.synced.load(ordering: .relaxed) {
        do throws(SystemError) {
          try segment.sync(to: used)
          try syncNames()
          // An entry that failed once may be missing though it is said to be there, and so nothing after it is certain either.
          guard !segment.isUnsure.load(ordering: .relaxed) else { return }
          try segment.note(synced: used)
        } catch {
          let isRepeated = segment.isUnsure.exchange(true, ordering: .relaxed)
          return fail(.syncing, "\(segment.file.path): \(error.words)", isRepeated: isRepeated)
        }
        segment.synced.store(used, ordering: .relaxed)
        isDone = true
      }
      if isOver { shared.withLock { shared in shared.unsynced.removeAll { $0 === segment } } }
    }
    guard isDone else { return }
    let time = settings.elapsed() - start
    shared.withLock { $0.lastSync = time }
  }

  /// Waits until the names of new segments are on the disk.
  private func syncNames() throws(SystemError) {
    guard shared.withLock({ $0.hasNewNames }) else { return }
    shared.withLock { $0.hasNewNames = false }
    do throws(SystemError) { try SystemFolder.sync(directory.path) } catch {
      shared.withLock { $0.hasNewNames = true }
      throw error
    }
  }
}
