import APNSimCore
import APNSimWire

/// Reads `reply`: the answer of a rule, as the one interface has it or the other.
///
/// A status from 0 to 255 by itself is the binary interface's; with a reason, a body or headers, or from 256 on, it is
/// HTTP/2's. In a rule that asks for `interface: http2`, one from 200 on is HTTP/2's too.
enum ReplyReader {
  /// The options of an error response, and those of an answer to a request; a delay is of both.
  private static let binaryOptions = ["identifier", "afterFrames", "truncateTo", "split", "reset", "lost"]
  private static let requestOptions = ["reason", "timestamp", "body", "headers"]
  private static let keys = ["status"] + requestOptions + ["delay"] + binaryOptions
  private static let options = ["identifier", "afterFrames", "delay", "truncateTo", "split", "reset", "lost"]

  /// `{ status: 8, afterFrames: 20 }`, `{ reason: Unregistered, timestamp: 2h ago }`, or the status or the reason alone.
  /// - Parameter isOfRequests: the rule asks for `interface: http2`.
  static func read(_ value: Value, isOfRequests: Bool = false) -> Rule.Action? {
    let lowest = isOfRequests ? 200 : 256
    if let text = value.scalar {
      if StatusName.status(text) == nil, let reason = Reason(name: text) {
        return .answer(ScriptedAnswer(reason: reason))
      }
      if let number = Int(text), number >= lowest {
        return AnswerReader.status(value).map { .answer(ScriptedAnswer(status: $0)) }
      }
      return value.status().map { .reply(Reply(status: $0)) }
    }
    guard let fields = Fields(value, of: "a reply", keys: keys) else { return nil }
    let number = fields["status"]?.scalar.flatMap { Int($0) } ?? 0
    guard number >= lowest || requestOptions.contains(where: { fields[$0] != nil }) else {
      guard let status = fields.require("status")?.status() else { return nil }
      return .reply(read(fields, status))
    }
    for key in binaryOptions {
      fields[key]?.report(
        "\"\(key)\" is of the binary interface's answers, which have a status from 0 to 255 alone"
      )
    }
    return AnswerReader.read(fields).map { .answer($0) }
  }

  /// `fault: shutdown`, or with options of a reply: status 10, which names the last accepted notification.
  static func shutdown(_ value: Value?) -> Reply? {
    guard let value else { return Reply(status: .shutdown) }
    return Fields(value, of: "a shutdown", keys: options).map { read($0, .shutdown) }
  }

  private static func read(_ fields: Fields, _ status: StatusCode) -> Reply {
    var reply = Reply(status: status)
    if let value = fields["identifier"] { reply.identifier = identifier(value) ?? .right }
    reply.afterFrames = fields["afterFrames"].flatMap { $0.integer("afterFrames") } ?? 0
    reply.delay = fields["delay"].flatMap { $0.timeSpan("the delay") } ?? .zero
    reply.byteCount =
      fields["truncateTo"].flatMap { $0.integer("truncateTo", 0...ErrorResponse.byteCount) }
      ?? ErrorResponse.byteCount
    reply.isSplit = fields["split"].flatMap { $0.flag("split") } ?? false
    reply.resets = fields["reset"].flatMap { $0.flag("reset") } ?? false
    if let lost = fields["lost"], lost.flag("lost") == true {
      // The packet is lost because the reset overtakes it.
      (reply.isLost, reply.resets) = (true, true)
    }
    return reply
  }

  private static func identifier(_ value: Value) -> Reply.Identifier? {
    switch value.scalar {
    case "right": return .right
    case "wrong": return .wrong
    case "zero": return .zero
    case let text?:
      if let exact = NotificationIdentifier(hex: text) { return .exactly(exact) }
    case nil: break
    }
    value.mismatch(
      "right, wrong, zero or 8 hex digits for the identifier",
      suggestion: value.scalar.flatMap { NearestName.find($0, among: ["right", "wrong", "zero"]) }
    )
    return nil
  }
}
