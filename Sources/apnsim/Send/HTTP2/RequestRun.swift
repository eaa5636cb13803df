import APNSimCore
import APNSimProvider
import APNSimWire
import NIOCore

/// Runs `send --api http2`.
struct RequestRun: Sendable {
  let target: ProviderTarget
  let options: RequestOptions
  /// Nil with a certificate.
  let token: String?
  let patience: Duration
  let output: OutputOptions

  /// Sends every file to every device, over and over until there are `count`.
  func send(_ pushes: [PushFile], to tokens: [[UInt8]], count: Int, rate: Double?, priority: UInt8?)
    async throws
  {
    let fields = pushes.map {
      options.fields(payload: $0.payload, bundle: $0.bundle, token: token, priority: priority)
    }
    let devices = tokens.map { Hex.encode($0) }
    let plan = RequestPlan(count: count) { index in
      let place = index / devices.count % pushes.count
      return PushRequest(
        token: devices[index % devices.count],
        fields: fields[place],
        body: pushes[place].payload
      )
    }
    let bar = SendProgress(total: plan.count)
    defer { bar.finish() }
    let load = RequestLoad(
      plan: plan,
      connections: options.connections ?? 1,
      rate: rate,
      streams: options.streams,
      patience: patience
    ) { bar.update($0) }
    let report = try await load.run { try await HTTP2Connection.open(target, timeout: .opening(patience)) }
    bar.finish()
    let summary = RequestSummary(
      report,
      target: target,
      connections: options.connections ?? 1,
      rate: rate,
      token: token
    )
    Output.lines(try output.isJSON ? [JSONLine.text(RequestResult(report))] : summary.lines(output.style))
    if !output.isJSON { for hint in summary.hints { Output.note("hint: \(hint)") } }
    if !report.isSuccess { throw CommandFailure.quiet(summary.status) }
  }

  /// - Parameter stale: a token that is too old; nil with a certificate.
  func demonstrate(stale: String?) async throws {
    let demo = RequestDemo(options: options, token: token, stale: stale)
    let connection = try await HTTP2Connection.open(target, timeout: .opening(patience))
    let report = try await RequestExchange(plan: demo.plan, patience: patience).run(over: connection)
    if output.isJSON {
      try JSONLine.print(RequestResult(report))
    } else {
      Output.line("connected to \(target.address), TLS \(connection.version)")
      Output.lines(demo.lines(report, output.style))
    }
    guard demo.isAsExpected(report) else {
      throw CommandFailure(
        .failed,
        "the demo did not go as with the default settings",
        hints: RequestSummary(report, target: target, token: token).hints
      )
    }
  }
}
