import APNSimWire

/// The faults of requests that a magic token of kind `d1` has by its code, and what a frame gets for each.
extension Decision {
  static func requestFault(_ code: UInt8, _ interface: Interface) -> Decision {
    if case .http2 = interface { ofRequest(code) } else { ofFrame(code) }
  }

  private static func ofRequest(_ code: UInt8) -> Decision {
    switch code {
    case 0x08: .end(.reset)
    case 0x09: .end(.drain)
    default: requestFaults[code].map { .request($0) } ?? .proceed
    }
  }

  private static let requestFaults: [UInt8: Fault] = [
    0x00: .goaway(Fault.GoAway()),
    0x01: .goaway(Fault.GoAway(lastStream: .below)),
    0x02: .goaway(Fault.GoAway(reason: .shutdown, then: .open)),
    0x03: .goaway(Fault.GoAway(then: .refuse)),
    0x04: .resetStream(.refusedStream),
    0x05: .resetStream(.internalError),
    0x06: .unanswered(true),
    0x07: .unanswered(false),
    0x0A: .maxStreams(1),
    0x0B: .stickyServerError,
  ]

  /// GOAWAY is a shutdown, a stream refused a connection that closes, an error status 1. Success is silence on the binary
  /// interface: what is delivered there is never answered.
  private static func ofFrame(_ code: UInt8) -> Decision {
    switch code {
    case 0x00, 0x01, 0x02, 0x03: .reply(Reply(status: .shutdown))
    case 0x04, 0x09: .end(.drain)
    case 0x05, 0x0B: .reply(Reply(status: .processingError))
    case 0x07: .swallow
    case 0x08: .end(.reset)
    default: .proceed
    }
  }
}
