import APNSimCore
import APNSimWire

/// Reads `reply`: the error response that a rule answers with.
enum ReplyReader {
  private static let options = [
    "identifier", "afterFrames", "delay", "truncateTo", "split", "reset", "lost",
  ]

  /// `{ status: 8, afterFrames: 20 }`, or the status alone.
  static func read(_ value: Value) -> Reply? {
    if value.scalar != nil { return value.status().map { Reply(status: $0) } }
    guard let fields = Fields(value, of: "a reply", keys: ["status"] + options) else { return nil }
    guard let status = fields.require("status")?.status() else { return nil }
    return read(fields, status)
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
