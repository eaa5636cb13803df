import APNSimCore
import Dispatch
import Logging
import Synchronization

/// The recording of a running server.
extension RunningServer {
  /// Opens the file of a recording, or of the next part of one.
  static func open(
    _ path: String,
    _ server: SimulatorServer,
    after earlier: JournalFile? = nil
  ) throws(ServerError) -> JournalFile {
    let log = server.log
    do throws(OutputFailure) {
      let journal = try JournalFile(
        path: path,
        keepsPrevious: true,
        continuation: earlier == nil ? continuation(of: server) : nil,
        after: earlier,
        filter: server.additions.recordFilter
      ) { [weak server] failure in
        // A server that stops reports the loss at its end.
        guard server?.isStopped == false else { return }
        log.say(.error, "\(failure); the simulator continues without recording")
      } notice: {
        log.say(.error, $0)
      }
      if let remark = journal.remark { log.say(.notice, remark) }
      return journal
    } catch {
      throw ServerError(kind: error.isInUse ? .inUse : .write, description: "\(error)")
    }
  }

  /// Decides whether the recording that is there is continued; nil where none is.
  private static func continuation(of server: SimulatorServer) -> RecordingContinuation? {
    guard let durable = server.additions.durable, durable.isRestored, durable.continuesRecording else {
      return nil
    }
    let history = RecordedHistory(
      simulator: server.simulator,
      seed: durable.seed,
      isRedacted: server.additions.recordFilter != nil
    )
    return RecordingContinuation { history.goesOn(after: $0) }
  }

  /// Writes what waits to be recorded: the history, from which a start could make up for it, has been cleared.
  func settleRecording() { journal.withLock { $0 }?.settle() }

  /// Continues the recording in a new file under the same name.
  func reopenRecording(_ server: SimulatorServer) {
    let log = services.log
    guard let path = server.configuration.files.record else { return }
    let ended: (JournalFile, DispatchSemaphore)? = journal.withLock { journal in
      guard let earlier = journal else { return nil }
      guard !earlier.hasItsName else {
        log.say(.notice, "\(path): the recording goes on in it, because it still has its name")
        return nil
      }
      do throws(ServerError) {
        let next = try Self.open(path, server, after: earlier)
        var done: DispatchSemaphore?
        let seq = server.simulator.replace(earlier, with: next) { done = earlier.end(isPart: true) }
        guard let seq, let done else {
          _ = next.finish()
          return nil
        }
        log.say(.notice, "\(path): the recording continues in this new file, from event \(seq) on")
        journal = next
        return (earlier, done)
      } catch {
        log.say(.error, "\(error); the recording goes on in the file that had this name")
        return nil
      }
    }
    guard let (earlier, done) = ended else { return }
    report(earlier.result(of: done))
  }

  /// Says what a recording has lost.
  func report(_ result: JournalFile.Result) {
    guard let failure = result.failure else { return }
    services.log.say(.error, "\(failure); \(result.lostLines) lines of the journal were lost")
  }

  /// Ends a recording whose server does not come to be.
  static func close(_ journal: JournalFile, _ server: SimulatorServer) {
    server.simulator.remove(journal)
    _ = journal.finish()
  }
}
