import APNSimWire

/// The beginning of a state, as named texts in order: the seed, settings, the parts of the scenario, digests.
///
/// A state goes on only with the same: another seed or scenario would make something else of the same inputs.
package struct StateIdentity: Hashable, Sendable {
  private struct Member: Hashable {
    var name: String
    var value: String
  }

  private var members: [Member]

  package init(_ members: [(name: String, value: String)] = []) {
    self.members = members.map { Member(name: $0.name, value: $0.value) }
  }

  package mutating func add(_ name: String, _ value: String) {
    members.append(Member(name: name, value: value))
  }

  package subscript(name: String) -> String? { members.last { $0.name == name }?.value }

  /// The differences of another identity, which is to go on with the state: in its order, then what it lacks.
  package func differences(to other: StateIdentity) -> [StateDifference] {
    let before = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
    let now = Dictionary(other.members.map { ($0.name, $0.value) }) { $1 }
    var seen: Set<String> = []
    return (other.members + members).compactMap { member in
      let name = member.name
      guard seen.insert(name).inserted else { return nil }
      let (old, new) = (before[name], now[name])
      guard !Self.areSame(old, new) else { return nil }
      return StateDifference(name: name, before: old, now: new)
    }
  }

  private static func areSame(_ old: String?, _ new: String?) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    return old.isExactly(new)
  }

  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for member in members {
      writer.beginObject()
      writer.key("name")
      writer.string(member.name)
      writer.key("value")
      writer.string(member.value)
      writer.endObject()
    }
    writer.endArray()
  }

  /// - Returns: nil where the value is not what ``write(to:)`` writes.
  init?(_ value: JSONValue?) {
    guard let elements = value?.arrayValue else { return nil }
    members = []
    for element in elements {
      guard let name = element.member("name")?.stringValue, let value = element.member("value")?.stringValue
      else { return nil }
      add(name, value)
    }
  }
}

/// One of the things that a state began with and that is otherwise now.
package struct StateDifference: Hashable, Sendable, CustomStringConvertible {
  package var name: String
  /// The value that the state began with; nil where it had none.
  package var before: String?
  package var now: String?

  package init(name: String, before: String?, now: String?) {
    (self.name, self.before, self.now) = (name, before, now)
  }

  /// `the seed was 1, and is 2`
  package var description: String {
    switch (before, now) {
    case (nil, let now): "the \(name) was not set, and is \(Self.shortened(now))"
    case (let before, nil): "the \(name) was \(Self.shortened(before)), and is not set"
    case (let before?, let now?):
      if before.utf8.count > Self.most || now.utf8.count > Self.most {
        "the \(name) was \(Self.excerpt(before, beside: now)), and is \(Self.excerpt(now, beside: before))"
      } else {
        "the \(name) was \(Self.shortened(before)), and is \(Self.shortened(now))"
      }
    }
  }

  /// The most characters of a text that are shown.
  private static let most = 80

  private static func shortened(_ text: String?) -> String {
    guard let text, !text.isEmpty else { return "empty" }
    return text.unicodeScalars.count <= most ? text : String(text.unicodeScalars.prefix(most)) + "…"
  }

  /// The part of a long text where it begins to differ from another.
  private static func excerpt(_ text: String, beside other: String) -> String {
    let scalars = Array(text.unicodeScalars)
    let same = zip(scalars, other.unicodeScalars).prefix { $0 == $1 }.count
    let start = max(0, min(same, scalars.count) - most / 4)
    let part = scalars[start...].prefix(most)
    var view = String.UnicodeScalarView()
    view.append(contentsOf: part)
    let shown = String(view)
    if shown.isEmpty { return "empty" }
    return (start > 0 ? "…" : "") + shown + (start + part.count < scalars.count ? "…" : "")
  }
}
