import APNSimWire

@testable import APNSimCore

/// Faults of every kind: with all arguments that it can have, and without those that may be left out.
enum FaultSamples {
  static let all: [Fault] = FaultKind.allCases.filter { $0.tag != nil }.flatMap { kind in
    [kind.parameters.all, kind.parameters.all.filter { !$0.isOptional }].map { parameters in
      Fault(kind, FaultArguments(parameters.enumerated().map { ($1.key, argument($1.kind, $0)) }))
    }
  }

  /// An argument of its own for each place.
  private static func argument(_ kind: FaultParameter.Kind, _ place: Int) -> FaultArgument {
    switch kind {
    case .count(let range): .count(range.lowerBound + place + 1)
    case .span: .span(.milliseconds(Int64(place) + 1))
    case .trigger: .trigger(.afterBytes(5))
    case .refusal: .refusal(.alert(42))
    case .reason: .reason(.shutdown)
    case .flag: .flag(place % 2 == 0)
    case .choice(let names): .choice(names[place % names.count])
    case .code: .code(HTTP2Code(rawValue: UInt32(place) + 3))
    case .lastStream: .lastStream(.number(UInt32(place) + 1))
    case .text: .text("text é \(place)")
    }
  }
}
