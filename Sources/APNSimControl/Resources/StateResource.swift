import APNSimCore
package import APNSimState
package import APNSimWire
import NIOHTTP1

/// `GET /state`, what is kept beyond the end of the process, and `POST /state/snapshot`; 404 where nothing is.
enum StateResource {
  static let routes: [Route] = [
    Route(.GET, "/state", isInSandboxes: false) { call in
      let status = try keeper(of: call).status
      return .json(StateAnswer(status: status, isSuspended: status.isShort || call.simulator.isSuspended))
    },
    Route(.POST, "/state/snapshot", isInSandboxes: false) { call in
      let keeper = try keeper(of: call)
      do throws(StateFailure) {
        return .json(try await keeper.snapshot())
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
}

struct StateAnswer: JSONObject {
  let status: StateStatus
  let isSuspended: Bool

  private struct Log: JSONObject {
    let status: StateStatus

    static let shape = JSONShape<Self> {
      $0.member("bytes", "Of the inputs since the last snapshot.", .least(0)) { $0.status.logBytes }
      $0.member("segments", "The files of the log.", .least(0)) { $0.status.logSegments }
    }
  }

  static let shape = JSONShape<Self>("State") {
    $0.member("directory", "As it was named.", .example("/var/lib/apnsim/state")) { $0.status.directory }
    $0.member("position", "The number of the last input that is kept.") { $0.status.position }
    $0.member(
      "sync",
      "`interval`: the log is on the disk within a second; `off`: when the system writes it."
    ) { $0.status.sync }
    $0.member("suspended", "True while nothing is taken in because nothing can be kept.") { $0.isSuspended }
    $0.member("log") { Log(status: $0.status) }
    $0.optional("snapshot", "The last one.") { $0.status.snapshot }
    $0.optional("restored", "What the start found; absent where the state began with it.") {
      $0.status.restored
    }
    $0.optional("lastSyncMilliseconds", "How long the last sync took.", .least(0)) {
      $0.status.lastSync.map { NumberText($0.milliseconds) }
    }
    $0.member("errors", "Errors of writing and syncing since the start.", .least(0)) { $0.status.errors }
    $0.optional("lastError", "For people.") { $0.status.lastError }
  }
}

extension SnapshotReport: JSONObject {
  package static let shape = JSONShape<Self>(
    "StateSnapshot",
    "A snapshot. Pause and duration of one of before the start are 0."
  ) {
    $0.member("position", "The number of the last input in it.") { $0.number }
    $0.member("bytes", "Its size.", .least(0)) { $0.byteCount }
    $0.member("at", "RFC 3339, UTC, by the system's clock.") { $0.time }
    $0.member("pauseMilliseconds", "How long it stopped the simulator.", .least(0)) {
      NumberText($0.pause.milliseconds)
    }
    $0.member("milliseconds", "How long it took in all.", .least(0)) { NumberText($0.duration.milliseconds) }
  }
}

extension RestoredState: JSONObject {
  package static let shape = JSONShape<Self> {
    $0.member("snapshot", "The number of the last input in the snapshot.") { $0.snapshot }
    $0.member("at", "When the snapshot was taken: RFC 3339, UTC, by the system's clock.") { $0.snapshotTime }
    $0.member("inputs", "The inputs after it, which happened again.", .least(0)) { $0.inputs }
    $0.member("cutBytes", "The bytes at the log's end that were not a whole input.", .least(0)) {
      $0.cutBytes
    }
    $0.member("milliseconds", "How long it took.", .least(0)) { NumberText($0.duration.milliseconds) }
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
