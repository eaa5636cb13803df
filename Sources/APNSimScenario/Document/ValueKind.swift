/// The kinds that may stand for a value: those that the tables of the format (``Noun``) name.
///
/// A text that is a number or true is a text to the reader of YAML, and a number in quotes is a number: the kinds say what
/// is written, and the schema what an editor makes of that.
indirect enum ValueKind: Sendable {
  /// Any text, also one that looks like a number, true or false.
  case text
  /// A text of a certain form.
  case form(TextForm)
  /// True or false, also as yes, no, on, off.
  case flag
  /// True, where false would mean nothing.
  case yes
  /// A whole number in a range.
  case integer(ClosedRange<Int>)
  /// A number in JSON's grammar.
  case decimal
  /// A number from 0 to 1.
  case probability
  /// One of these words.
  case choice([String])

  /// Anything that JSON has.
  case json
  /// Anything that JSON has, but no object.
  case plainJSON
  /// An object with any members.
  case object

  /// A mapping whose keys are the format's.
  case mapping(Noun)
  /// A mapping whose keys are the user's, of a form if there is one, at least so many of them.
  case names(form: TextForm? = nil, ValueKind, least: Int = 0, most: Int? = nil)
  /// A list of so many items.
  case list(ValueKind, counts: ClosedRange<Int> = 0...Int.max)
  /// Any one of these.
  case either([ValueKind])
  /// A mapping with such a value at one of these keys, whatever else it has.
  case having([String], ValueKind)
  /// An empty value.
  case nothing
  /// No value at all.
  case never

  /// A kind that has a name of its own: its name in the schema, and a sentence on it.
  case named(String, String, ValueKind)
  /// A kind that is named elsewhere, maybe around this.
  case reference(String)

  /// One word, which stands for something special.
  static func word(_ word: String) -> ValueKind { .choice([word]) }

  /// An item, or a list of them.
  static func oneOrMore(_ kind: ValueKind) -> ValueKind { .either([kind, .list(kind)]) }

  /// A value of this kind, or an empty one.
  var orNothing: ValueKind { .either([self, .nothing]) }

  static func choice<Choice: RawRepresentable & CaseIterable>(of type: Choice.Type) -> ValueKind
  where Choice.RawValue == String {
    .choice(type.allCases.map(\.rawValue))
  }

  /// Numbers that count something, without a limit of their own.
  static let count = ValueKind.integer(0...Int(Int32.max))
  /// The same, from 1.
  static let positive = ValueKind.integer(1...Int(Int32.max))
}

/// The form of a text that its reader understands: a duration, a token.
struct TextForm: Sendable {
  /// The numbers among such texts, which an editor does not take for texts.
  enum Numbers: Sendable {
    case none
    /// Whole numbers between these, which have no other limits than their digits.
    case whole(_ lowest: String, _ highest: String)
    case any
    /// Numbers, true and false.
    case literals
  }

  /// Its name in the schema: `duration`.
  let name: String
  /// The name of it, as an error says what was expected.
  let meaning: String
  /// A regular expression for the whole text: what is in no such text is refused, what only arithmetic finds is not.
  let pattern: String
  let numbers: Numbers
  let examples: [String]
  /// The form of it in the description of the control API.
  let request: InRequest

  init(
    _ name: String,
    _ meaning: String,
    pattern: String,
    numbers: Numbers = .none,
    examples: [String] = [],
    request: InRequest = InRequest()
  ) {
    (self.name, self.meaning, self.pattern) = (name, meaning, pattern)
    (self.numbers, self.examples, self.request) = (numbers, examples, request)
  }

  /// The schema of such texts in a body. Programs have been told no more since version 0.1 than this, and are to be
  /// taken with every text that it allows, be it refused by its reader: no pattern is added where there was none.
  struct InRequest: Sendable {
    var pattern: String?
    var lengths: ClosedRange<Int>?
    /// A word that stands for something special.
    var word: String?
    /// True where whole numbers of JSON are taken as well.
    var takesNumbers = false
  }
}
