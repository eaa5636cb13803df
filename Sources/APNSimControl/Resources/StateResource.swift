import APNSimCore
import APNSimState
import APNSimWire
import NIOHTTP1

/// `GET /state`, what is kept beyond the end of the process, and `POST /state/snapshot`; 404 where nothing is.
enum StateResource {
  static let routes: [Route] = [
    Route(.GET, "/state", isInSandboxes: false) { call in
      let status = try keeper(of: call).status
      return .json { writer in
        writer.member("directory", status.directory)
        writer.member("position", status.position)
        writer.member("sync", status.sync.rawValue)
        writer.member("suspended", status.isShort || call.simulator.isSuspended)
        writer.key("log")
        writer.beginObject()
        writer.member("bytes", status.logBytes)
        writer.member("segments", status.logSegments)
        writer.endObject()
        if let snapshot = status.snapshot {
          writer.key("snapshot")
          writer.beginObject()
          write(snapshot, to: &writer)
          writer.endObject()
        }
        if let restored = status.restored {
          writer.key("restored")
          writer.beginObject()
          writer.member("snapshot", restored.snapshot)
          writer.member("at", restored.snapshotTime.description)
          writer.member("inputs", restored.inputs)
          writer.member("cutBytes", restored.cutBytes)
          write("milliseconds", restored.duration, to: &writer)
          writer.endObject()
        }
        if let sync = status.lastSync { write("lastSyncMilliseconds", sync, to: &writer) }
        writer.member("errors", status.errors)
        if let error = status.lastError { writer.member("lastError", error) }
      }
    },
    Route(.POST, "/state/snapshot", isInSandboxes: false) { call in
      let keeper = try keeper(of: call)
      do throws(StateFailure) {
        let snapshot = try await keeper.snapshot()
        return .json { write(snapshot, to: &$0) }
      } catch {
        throw ProblemDetails(
          .serviceUnavailable,
          title: "No snapshot",
          detail: error.description,
          hint: "nothing is lost: the log has everything since the last one"
        )
      }
    },
  ]

  private static func keeper(of call: Call) throws(ProblemDetails) -> StateKeeper {
    guard let keeper = call.services.durable?.keeper else {
      throw ProblemDetails(
        .notFound,
        title: "No state",
        detail: "nothing of this simulator outlives its process",
        hint: "apnsim serve --state DIR keeps devices, stored notifications, feedback, rules and history"
      )
    }
    return keeper
  }

  private static func write(_ snapshot: SnapshotReport, to writer: inout JSONWriter) {
    writer.member("position", snapshot.number)
    writer.member("bytes", snapshot.byteCount)
    writer.member("at", snapshot.time.description)
    write("pauseMilliseconds", snapshot.pause, to: &writer)
    write("milliseconds", snapshot.duration, to: &writer)
  }

  /// Writes a duration in milliseconds with three decimals.
  private static func write(_ name: String, _ duration: Duration, to writer: inout JSONWriter) {
    writer.key(name)
    writer.raw(duration.milliseconds.utf8)
  }
}

extension Duration {
  /// The whole microseconds of it, not below 0.
  var microseconds: UInt64 {
    let (seconds, attoseconds) = components
    let whole = UInt64(max(0, seconds)).multipliedReportingOverflow(by: 1_000_000)
    return whole.overflow ? .max : whole.partialValue &+ UInt64(max(0, attoseconds / 1_000_000_000_000))
  }

  /// `19.204`, `0.007`, `3`
  fileprivate var milliseconds: String {
    let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1000)
    guard rest > 0 else { return "\(whole)" }
    return "\(whole)." + String(String(1000 + rest).dropFirst())
  }
}
