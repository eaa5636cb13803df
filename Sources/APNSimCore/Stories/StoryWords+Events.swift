import APNSimWire

/// The words of what is not a notification.
extension StoryWords {
  /// - Returns: nil for what a notification's own step tells.
  static func step(of event: Event, at moment: Timestamp) -> Step? {
    switch event {
    case .errorSent(_, let response, let notification, let byteCount, let isLost):
      let bytes = Array(response.bytes.prefix(byteCount))
      let isWhole = byteCount == ErrorResponse.byteCount
      var step = Step(at: moment, by: .service, kind: .error, text: spaced(isLost ? response.bytes : bytes))
      step.remark =
        "error response, status \(response.status.rawValue) \(response.status.name)"
        + (isLost ? "; lost to a reset" : isWhole ? "" : "; cut to \(Number.counted(byteCount, "byte"))")
      if notification > 0 { step.notifications = notification...notification }
      step.bytes = isLost ? 0 : byteCount
      step.hex = isLost ? [] : bytes
      return step
    case .connectionClosed(_, let reason, let byService, _): return closing(reason, byService, at: moment)
    case .inputEnded:
      return Step(
        at: moment,
        by: .provider,
        kind: .end,
        text: "FIN",
        remark: "the provider ended its side"
      )
    case .shutdown:
      return Step(at: moment, by: .service, kind: .end, text: "shutdown", remark: "asked for by an operator")
    case .bytesIn(_, _, let count):
      return Step(
        at: moment,
        by: .provider,
        kind: .frames,
        text: Number.counted(count, "byte"),
        remark: "no whole notification; discarded unread",
        bytes: count,
        fate: .discarded
      )
    case .faultFired(_, let name):
      let kind: Step.Kind = name == Fault.reset(.now).name ? .reset : .fault
      return Step(at: moment, by: .service, kind: kind, text: name, remark: "a fault that was asked for")
    case .requestFault(_, let name, let stream, let frame):
      return fault(name, stream, frame, at: moment)
    case .requestMalformed(_, let malformed):
      return Step(
        at: moment,
        by: .service,
        kind: .reset,
        text: "RST_STREAM \(malformed.code.name), stream \(malformed.stream)",
        remark: "no request, \(malformed.words)"
      )
    case .feedbackRead(_, let app, let tuples, let bytes):
      return Step(
        at: moment,
        by: .service,
        kind: .answer,
        text: "\(Number.counted(tuples, "feedback tuple")), \(Number.counted(bytes.count, "byte"))",
        remark: app.topic,
        count: tuples,
        bytes: bytes.count
      )
    default: return nil
    }
  }

  private static func fault(
    _ name: String,
    _ stream: UInt32,
    _ frame: RequestFrame?,
    at moment: Timestamp
  ) -> Step {
    var step = Step(at: moment, by: .service, kind: .fault, text: name)
    step.remark = "a fault that was asked for, at stream \(stream)"
    switch frame {
    case .goAway(let last, let code, let debug):
      step.kind = .goaway
      let said = debug.isEmpty ? "" : " \(String(decoding: debug.prefix(200), as: UTF8.self).withoutLineEnds)"
      step.text = "GOAWAY \(code.name), last stream \(last)\(said)"
    case .resetStream(let stream, let code):
      (step.kind, step.text) = (.reset, "RST_STREAM \(code.name), stream \(stream)")
    case .maxStreams(let count):
      step.kind = .settings
      step.text = "SETTINGS, " + (count.map { "\(Number.counted(Int($0), "stream")) at once" } ?? "as usual")
    case nil: break
    }
    return step
  }

  private static func closing(_ reason: ClosingReason, _ byService: Bool, at moment: Timestamp) -> Step {
    switch reason {
    case .peerClosed:
      Step(at: moment, by: .provider, kind: .end, text: "FIN", remark: "the provider closed the connection")
    case .simulatorClosed:
      Step(at: moment, by: .service, kind: .end, text: "FIN", remark: "the service closed the connection")
    case .reset:
      Step(
        at: moment,
        by: byService ? .service : .provider,
        kind: .reset,
        text: "RST",
        remark: "the \(byService ? "service" : "provider") reset the connection"
      )
    case .timedOut:
      Step(at: moment, by: .service, kind: .end, text: "FIN", remark: "nothing came for too long")
    case .failed:
      Step(
        at: moment,
        by: .service,
        kind: .end,
        text: "end",
        remark: "the transport or TLS failed"
      )
    case .drained:
      Step(at: moment, by: .service, kind: .end, text: "FIN", remark: "the simulator stopped")
    case .simulatorKilled:
      Step(at: moment, by: .service, kind: .end, text: "end", remark: "the simulator was killed")
    }
  }

  /// `08 07 00 00 04 ac`
  private static func spaced(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { Hex.encode([$0]) }.joined(separator: " ")
  }
}
