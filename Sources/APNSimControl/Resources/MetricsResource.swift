import APNSimCore
import APNSimServer
import APNSimState
import APNSimWire
import NIOHTTP1

/// `GET /metrics`: counters and gauges as Prometheus reads them (text format 0.0.4).
enum MetricsResource {
  static let routes = [Route(.GET, "/metrics", answer: metrics)]

  private static func metrics(_ call: Call) async throws -> Response {
    let tally = call.simulator.tally
    let stock = call.simulator.stock
    var text = MetricsText()
    text.family("apnsim_notifications_total", .counter, "Notifications by outcome on receipt.")
    for outcome in Outcome.allCases {
      text.sample(["outcome": outcome.description], tally.received[Int(outcome.rawValue)])
    }
    text.family(
      "apnsim_stored_notifications_settled_total",
      .counter,
      "Stored notifications by their later outcome."
    )
    for outcome in [Outcome.delivered, .replaced, .expired, .refused, .dropped] {
      text.sample(["outcome": outcome.description], tally.settled[Int(outcome.rawValue)])
    }
    text.family(
      "apnsim_rejections_total",
      .counter,
      "Rejected notifications by status; 0 means none, where a script ended the connection."
    )
    for (status, count) in tally.rejected.enumerated() where count > 0 {
      text.sample(["status": "\(status)"], count)
    }
    text.family(
      "apnsim_notifications_by_interface_total",
      .counter,
      "Notifications by interface and outcome on receipt."
    )
    for outcome in Outcome.allCases {
      let requests = tally.requests[Int(outcome.rawValue)]
      let frames =
        tally.received[Int(outcome.rawValue)] - min(requests, tally.received[Int(outcome.rawValue)])
      text.sample(["interface": "binary", "outcome": outcome.description], frames)
      text.sample(["interface": "http2", "outcome": outcome.description], requests)
    }
    text.family(
      "apnsim_request_rejections_total",
      .counter,
      "Rejected requests over HTTP/2 by status and reason; without a reason, a rule answered or nothing did."
    )
    for (number, count) in tally.rejectedRequests.enumerated() where count > 0 {
      let reason = Reason(rawValue: UInt8(clamping: number))
      text.sample(["status": reason.map { "\($0.status)" } ?? "", "reason": reason?.name() ?? ""], count)
    }
    writeRequests(
      tally.exchanges,
      inFlight: stock.requestsInFlight,
      served: call.server.servedTimes,
      to: &text
    )
    text.family("apnsim_notification_bytes_total", .counter, "Bytes of notifications.")
    text.sample([:], tally.bytes)
    text.family("apnsim_connections_total", .counter, "Connections of providers and devices since start.")
    text.sample([:], stock.connections)
    text.gauge("apnsim_connections_open", "Open connections.", stock.openConnections)
    text.gauge("apnsim_devices", "Devices, including those made on first sight.", stock.devices)
    text.gauge("apnsim_notifications_stored", "Notifications stored for devices.", stock.stored)
    text.gauge("apnsim_notifications_kept", "Notifications in the history.", stock.history)
    text.gauge("apnsim_feedback_tuples", "Feedback tuples waiting to be read.", stock.feedback)
    text.gauge("apnsim_waits_open", "Open waits.", stock.waits)
    text.gauge("apnsim_streams_open", "Open event streams.", call.services.streams.open)
    text.gauge(
      "apnsim_held_bytes",
      "Bytes of unfinished requests and unread answers, of HTTP/2 connections with more than 16 KiB.",
      SimulatorServer.held.bytes
    )
    text.family("apnsim_held_refusals_total", .counter, "HTTP/2 connections ended for want of room for more.")
    text.sample([:], SimulatorServer.held.refusals)
    text.gauge("apnsim_sandboxes", "Sandboxes.", call.services.sandboxes.count)
    if call.space.id == nil, let keeper = call.services.durable?.keeper {
      writeState(keeper.status, at: call.server.wallTime, to: &text)
    }
    return .bytes(Array(text.text.utf8), type: "text/plain; version=0.0.4; charset=utf-8")
  }

  /// Writes what is to be known of a durable state.
  private static func writeState(_ status: StateStatus, at now: Timestamp, to text: inout MetricsText) {
    text.gauge(
      "apnsim_state_log_bytes",
      "Bytes of inputs in the log since the last snapshot.",
      status.logBytes
    )
    if let snapshot = status.snapshot {
      text.gauge("apnsim_state_snapshot_seconds", "Time that the last snapshot took.", snapshot.duration)
      text.gauge(
        "apnsim_state_snapshot_pause_seconds",
        "Time for which the last snapshot stopped the simulator.",
        snapshot.pause
      )
      text.gauge(
        "apnsim_state_snapshot_age_seconds",
        "Age of the last snapshot.",
        Duration.milliseconds((now - snapshot.time).milliseconds)
      )
    }
    if let sync = status.lastSync {
      text.gauge("apnsim_state_sync_seconds", "Time that the last sync of the log took.", sync)
    }
    text.gauge(
      "apnsim_state_restored_inputs",
      "Inputs of the log that happened again at the start.",
      status.restored?.inputs ?? 0
    )
    text.family("apnsim_state_errors_total", .counter, "Errors of writing and syncing the state.")
    text.sample([:], status.errors)
  }

  /// Writes what a load test needs to know of requests over HTTP/2: received is answered, unanswered and in flight together.
  private static func writeRequests(
    _ exchanges: RequestTally,
    inFlight: Int,
    served: DurationCounts,
    to text: inout MetricsText
  ) {
    text.family("apnsim_requests_received_total", .counter, "Requests over HTTP/2.")
    text.sample([:], exchanges.received)
    text.family(
      "apnsim_request_answers_total",
      .counter,
      "Answers to requests by status and reason; a success has no reason."
    )
    for answers in exchanges.answers {
      text.sample(["status": "\(answers.status)", "reason": answers.reason?.name() ?? ""], answers.count)
    }
    text.family("apnsim_requests_unanswered_total", .counter, "Requests that never get an answer.")
    text.sample([:], exchanges.unanswered)
    text.gauge("apnsim_requests_in_flight", "Requests whose answers wait for their moment.", inFlight)
    text.histogram(
      "apnsim_request_duration_seconds",
      "Time from the read that completed a request to the write of its answer, without delays by scripts.",
      served
    )
    text.histogram(
      "apnsim_request_injected_delay_seconds",
      "Delays by scripts of answers to requests, by the simulated clock; of delayed answers only.",
      exchanges.delays
    )
  }
}
