import APNSimProvider
import APNSimWire

/// The words of `send` about an exchange, for people.
struct SendSummary {
  private let report: SendReport
  private let target: ProviderTarget

  init(_ report: SendReport, target: ProviderTarget) {
    self.report = report
    self.target = target
  }

  var status: ExitStatus {
    switch report.ending {
    case .silence: .ok
    case .answered, .closed: .failed
    case .unintelligible, .broken, .stalled: .runtimeError
    }
  }

  func lines(_ style: Style) -> [String] {
    let sent = "sent \(Number.counted(report.written, "notification")) to \(target.address)\(speed)"
    switch report.ending {
    case .silence:
      return [sent, style.paint("accepted", .green) + ": no answer, which means success"]
    case .answered(let response):
      let place =
        report.namedIndex.map { ", notification \($0 + 1) of \(report.written)" } ?? ", none of those sent"
      let answer =
        style.paint("status \(response.status.rawValue)", .red) + " \(response.status.name)"
        + "  identifier \(response.identifier.hex)\(place)"
      return [sent, answer] + consequences
    case .closed:
      return [sent, style.paint("closed", .red) + ": the gateway closed the connection without an answer"]
    case .unintelligible(let bytes):
      return [sent, style.paint("not understood", .red) + ": the gateway sent \(Hex.encode(bytes))"]
    case .broken(let reason):
      return [sent, style.paint("broken", .red) + ": \(reason)"]
    case .stalled:
      return [sent, style.paint("stalled", .red) + ": the gateway stopped reading"]
    }
  }

  private var consequences: [String] {
    guard let accepted = report.accepted, let discarded = report.discarded else {
      return ["there is no telling which notifications were accepted: the answer names none of them"]
    }
    var parts = ["\(Number.counted(accepted, "notification")) before it accepted"]
    if case .answered(let response) = report.ending, response.status == .shutdown {
      parts = ["\(Number.counted(accepted, "notification")) up to it accepted"]
    }
    if !discarded.isEmpty {
      parts.append("\(Number.grouped(discarded.count)) after it discarded unread: to be sent again")
    }
    return [parts.joined(separator: ", ")]
  }

  private var speed: String { SendSpeed(count: report.written, duration: report.writing).words }

  /// Advice for common mistakes.
  var hints: [String] {
    switch report.ending {
    case .answered(let response): hints(for: response.status)
    case .closed:
      report.plan.frame(at: 0).command == 0
        ? ["command 0 has no error response: a notification was refused, but there is no telling which"]
        : [
          """
          the gateway may have refused the certificate; a rule, a magic token, --enforce and the quirk \
          silentParseErrors close without an answer as well
          """
        ]
    default: []
    }
  }

  private func hints(for status: StatusCode) -> [String] {
    let frame = report.plan.frame(at: report.refusedIndex ?? 0)
    switch status {
    case .invalidPayloadSize:
      return [
        """
        the payload is \(Number.grouped(frame.payload.count)) bytes; commands 0 and 1 allow 256, command 2 \
        allows 2,048
        """
      ]
    case .invalidToken:
      return [
        "the token belongs to another app or environment, or is unknown to the gateway (--tokens known, issued)"
      ]
    case .invalidTokenSize:
      return ["the token is \(frame.token.count) bytes; tokens usually have 32 (64 hex digits)"]
    case .processingError:
      return [
        """
        the payload or priority is wrong; "explain" in what "apnsim wait --query status:1 --json" prints says where
        """
      ]
    case .unknown, .protocolError:
      return frame.command == 2 ? ["the gateway may not know command 2 (--commands 0,1)"] : []
    case .shutdown: return ["the gateway is closing: open a new connection and send the rest"]
    default: return []
    }
  }
}
