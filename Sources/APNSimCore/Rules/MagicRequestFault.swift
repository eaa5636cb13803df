import APNSimWire

/// The faults of requests that a magic token of kind `d1` has by its code, and what a frame gets for each.
extension Decision {
  static func requestFault(_ code: UInt8, _ interface: Interface) -> Decision {
    if case .http2 = interface { ofRequest(code) } else { ofFrame(code) }
  }

  private static func ofRequest(_ code: UInt8) -> Decision {
    switch code {
    case 0x00: .request(.goaway(Fault.GoAway()))
    case 0x01: .request(.goaway(Fault.GoAway(lastStream: .below)))
    case 0x02: .request(.goaway(Fault.GoAway(reason: .shutdown, then: .open)))
    case 0x03: .request(.goaway(Fault.GoAway(then: .refuse)))
    case 0x04: .request(.resetStream(.refusedStream))
    case 0x05: .request(.resetStream(.internalError))
    case 0x06: .request(.unanswered(isDelivered: true))
    case 0x07: .request(.unanswered(isDelivered: false))
    case 0x08: .end(.reset)
    case 0x09: .end(.drain)
    case 0x0A: .request(.maxStreams(1))
    case 0x0B: .request(.stickyServerError)
    default: .proceed
    }
  }

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
