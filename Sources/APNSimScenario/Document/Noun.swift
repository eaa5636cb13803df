import APNSimWire

/// A mapping whose keys are the format's: what it is, its keys, and how they go together.
///
/// Its reader takes the keys from here (``Fields``), and the schema is made of nothing else: a key that is not in the table
/// is no key of the format.
struct Noun: Sendable {
  /// Its name in the schema: `device`.
  let name: String
  /// Its name in messages: `a device`.
  let subject: String
  /// A sentence on it, for people who write a file.
  let meaning: String
  /// The keys, the most common first.
  let rows: [Row]
  /// A condition on several keys together.
  let terms: [Term]
  /// Keys that are not in the table but of a form, such as paths.
  let others: [Others]
  /// False where an empty value is not the same as none.
  let takesEmpty: Bool
  let keys: [String]
  /// The keys of which null is a value.
  let nullable: [String]

  init(
    _ name: String,
    _ subject: String,
    _ meaning: String,
    rows: [Row],
    terms: [Term] = [],
    others: [Others] = [],
    takesEmpty: Bool = true
  ) {
    (self.name, self.subject, self.meaning, self.rows) = (name, subject, meaning, rows)
    (self.terms, self.others, self.takesEmpty) = (terms, others, takesEmpty)
    (keys, nullable) = (rows.map(\.key), rows.filter(\.isNullable).map(\.key))
  }

  /// True if a mapping without the key is refused, at least where certain others are missing too.
  func demands(_ key: String) -> Bool {
    terms.contains { term in
      switch term {
      case .some(let keys), .one(let keys): keys.contains(key)
      case .atMostOne, .with, .never, .entries: false
      }
    } || row(key)?.need == .required
  }

  func row(_ key: String) -> Row? { rows.first { $0.key == key } }
}

extension Noun {
  /// A key with what may stand there.
  struct Row: Sendable {
    /// Whether it has to be there.
    enum Need: Sendable {
      case optional
      /// With a value.
      case required
      /// Be its value empty or not.
      case present
    }

    let key: String
    let kind: ValueKind
    /// A sentence on it, for people who write a file.
    let meaning: String
    let need: Need
    /// True if an empty value is a value of its own there: null.
    let isNullable: Bool
    /// The value that is meant where none is given, for the description of the control API.
    let usual: JSONValue?
    /// A value, for the same.
    let example: JSONValue?

    init(
      _ key: String,
      _ kind: ValueKind,
      _ meaning: String,
      _ need: Need = .optional,
      isNullable: Bool = false,
      usual: JSONValue? = nil,
      example: JSONValue? = nil
    ) {
      (self.key, self.kind, self.meaning) = (key, kind, meaning)
      (self.need, self.isNullable) = (need, isNullable)
      (self.usual, self.example) = (usual, example)
    }
  }

  /// Keys of a form, with what may stand at each.
  struct Others: Sendable {
    let form: TextForm
    let kind: ValueKind
    let meaning: String
  }

  /// A condition on several keys together.
  enum Term: Sendable {
    /// One at least is there.
    case some([String])
    /// One is there, and no other.
    case one([String])
    /// No two are there.
    case atMostOne([String])
    /// The first is there only with the second.
    case with(String, String)
    /// Not all of this is so.
    case never([Condition])
    /// There are so many entries, whatever their values.
    case entries(ClosedRange<Int>)
  }

  /// Something that is so, or is not.
  enum Condition: Sendable {
    case given(String)
    case absent(String)
    /// One of these is there.
    case any([String])
    /// The key is there with such a value.
    case value(String, ValueKind)
    /// The key is not there, or with no such value.
    case noValue(String, ValueKind)
  }
}
