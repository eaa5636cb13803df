import APNSimWire

/// The rows of faults of one request.
extension FaultRow {
  static let resetStream = FaultRow(
    .http2,
    at: .notification,
    .fields(
      [FaultParameter("code", .code, "the code of a reset", standard: .code(.internalError))],
      "{ code: REFUSED_STREAM }"
    )
  ) { .resetStream($0.code("code") ?? .internalError) }

  static let unanswered = FaultRow(
    .http2,
    at: .notification,
    .fields(
      [FaultParameter("delivered", .flag, "delivered", standard: .flag(true))],
      "{ delivered: false }"
    )
  ) { .unanswered(isDelivered: $0.flag("delivered")) }

  static let slowAnswer = FaultRow(
    .http2,
    at: .notification,
    .fields(
      [
        FaultParameter("headers", .span, "the time of the headers", standard: .span(.zero)),
        FaultParameter("body", .span, "the time of the body", standard: .span(.zero)),
      ],
      "{ headers: 1s, body: 2s }"
    )
  ) { arguments throws(FaultMistake) in
    let (headers, body) = (arguments.span("headers"), arguments.span("body"))
    guard headers > .zero || body > .zero else {
      throw FaultMistake(
        key: "",
        message:
          "a slow answer takes its time: expected \"headers\" or \"body\" of more than 0, found neither"
      )
    }
    return .slowAnswer(headers: headers, body: body)
  }
}
