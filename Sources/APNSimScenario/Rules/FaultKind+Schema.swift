import APNSimCore
import APNSimWire

/// The value that may stand after the name of a fault, by its row in the catalogue.
extension FaultKind {
  /// The value in `{ latency: 200ms }`; empty where the name says it all.
  var valueKind: ValueKind {
    switch parameters {
    case .none: .yes
    case .replyOptions: .mapping(ReplyReader.shutdownNoun)
    case .value(let parameter, _): parameter.valueKind
    case .fields(let parameters, _):
      if let short = Self.short(parameters) {
        .either([short.valueKind, .mapping(noun(parameters))])
      } else {
        .mapping(noun(parameters))
      }
    }
  }

  /// True if the name alone is a fault.
  var standsAlone: Bool {
    switch parameters {
    case .none, .replyOptions: true
    case .value(let parameter, _): takes([:], of: [parameter])
    case .fields(let parameters, _): !parameters.contains(where: \.isRequired) && takes([:], of: parameters)
    }
  }

  /// The parameter whose value may stand for a mapping of all: the one that has to be there, or the only one.
  static func short(_ parameters: [FaultParameter]) -> FaultParameter? {
    let only = parameters.count == 1 && parameters[0].kind != .flag ? parameters.first : nil
    return parameters.first { $0.isRequired } ?? only
  }

  /// The mapping of several parameters.
  func noun(_ parameters: [FaultParameter]) -> Noun {
    Noun(
      "\(name)Fault",
      "a \(name)",
      meaning,
      rows: parameters.map { parameter in
        Noun.Row(
          parameter.key,
          parameter.valueKind,
          parameter.subject.prefix(1).uppercased() + parameter.subject.dropFirst() + ".",
          parameter.isRequired ? .required : .optional
        )
      },
      terms: terms(parameters)
    )
  }

  // MARK: What goes together

  /// The catalogue's row may refuse arguments that are each good: it is asked.
  private func terms(_ parameters: [FaultParameter]) -> [Noun.Term] {
    let optional = parameters.filter { !$0.isRequired }
    var terms: [Noun.Term] = []
    if !takes([:], of: parameters) {
      let enough = optional.filter { takes([$0.key: $0.sample], of: parameters) }
      if !enough.isEmpty { terms.append(.some(enough.map(\.key))) }
    }
    for (place, first) in optional.enumerated() where takes([first.key: first.sample], of: parameters) {
      for second in optional.dropFirst(place + 1) where takes([second.key: second.sample], of: parameters) {
        if !takes([first.key: first.sample, second.key: second.sample], of: parameters) {
          terms.append(.atMostOne([first.key, second.key]))
        }
      }
    }
    return terms
  }

  /// True if the row makes a fault of these arguments, and of samples of what has to be there besides.
  private func takes(_ given: [String: FaultArgument], of parameters: [FaultParameter]) -> Bool {
    if case .value = self.parameters, parameters.contains(where: \.isRequired) { return false }
    let arguments = parameters.map { parameter in
      (
        parameter.key,
        given[parameter.key] ?? parameter.standard ?? (parameter.isRequired ? parameter.sample : nil)
      )
    }
    return (try? make(FaultArguments(arguments))) != nil
  }
}

extension FaultKind {
  /// The place in a connection's stream at which a fault strikes.
  static let triggerNoun = Noun(
    "trigger",
    "a trigger",
    "How much of the connection has been read when the fault strikes; at the notification that matched where nothing is said.",
    rows: [
      Noun.Row("afterBytes", .count, "After so many bytes."),
      Noun.Row("afterFrames", .count, "After so many frames; requests count as well."),
      Noun.Row("afterRequests", .count, "After so many requests; frames count as well."),
    ],
    terms: [.atMostOne(["afterBytes", "afterFrames", "afterRequests"])]
  )

  static let refusalNoun = Noun(
    "refusal",
    "a refusal",
    "A refusal in the handshake.",
    rows: [Noun.Row("alert", .integer(1...255), "The number of the TLS alert.", .required)]
  )
}

extension FaultParameter {
  fileprivate var valueKind: ValueKind {
    switch kind {
    case .count(let range): .integer(range)
    case .span: .duration
    case .trigger: .either([.word("now"), .mapping(FaultKind.triggerNoun)])
    case .refusal: .either([.choice(FaultArgumentReader.refusalNames), .mapping(FaultKind.refusalNoun)])
    case .reason: .choice(FieldKind.reason.names)
    case .flag: .flag
    case .choice(let names): .choice(names)
    case .code: .either([.choice(HTTP2Code.names), .integer(0...Int(UInt32.max))])
    case .lastStream: .either([.choice(["exact", "below", "zero"]), .integer(0...Int(Int32.max))])
    case .text: .text
    }
  }

  /// An argument that is good by itself, and with such samples of others.
  fileprivate var sample: FaultArgument {
    switch kind {
    case .count(let range): .count(range.lowerBound)
    case .span: .span(.seconds(1))
    case .trigger: .trigger(.now)
    case .refusal: .refusal(.close)
    case .reason: .reason(.shutdown)
    case .flag: .flag(true)
    case .choice(let names): .choice(names.first ?? "")
    case .code: .code(.noError)
    case .lastStream: .lastStream(.exact)
    case .text: .text("text")
    }
  }
}
