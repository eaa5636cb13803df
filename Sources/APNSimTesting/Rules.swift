import APNSimCore
import APNSimScenario
import APNSimServer

extension APNSimulator {
  /// Adds a rule before all others: what happens to which notifications.
  ///
  /// ```swift
  /// try apns.addRule("when: { nth: 2 }\nreply: { status: 8 }")
  /// try apns.addRule(#"{ when: { device: bob }, reply: { reason: InternalServerError }, times: 1 }"#)
  /// try apns.addRule("{ when: { connection: 1 }, fault: { reset: { afterBytes: 40 } } }")
  /// ```
  /// - Parameter text: YAML or JSON, as an entry of a scenario's `rules`.
  /// - Returns: its name for ``removeRule(_:)``, such as `r1`.
  /// - Throws: ``TextError`` for a text with mistakes.
  @discardableResult
  public func addRule(_ text: String) throws -> String {
    let rule: Rule
    do throws(DocumentError) { rule = try FaultBody.rule(text, name: "rule") } catch {
      throw TextError(error)
    }
    return try server.carryOut(.addRule(rule))?.id ?? ""
  }

  /// Removes a rule by its id or the name that it gives itself.
  public func removeRule(_ name: String) throws { try server.perform(.removeRule(name)) }

  /// Removes all rules, those of the scenario among them.
  public func removeRules() throws { try server.perform(.clearRules) }
}
