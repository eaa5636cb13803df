import APNSimCore
import APNSimScenario
import APNSimTestSupport
import APNSimWire
import Foundation
import Testing

@Suite struct `The catalogue of faults` {
  @Test(arguments: FaultKind.allCases)
  func `the example of a fault reads, and reads back as it is written`(kind: FaultKind) throws {
    let text = kind.example == kind.rawValue ? kind.rawValue : "{ \(kind.example) }"
    let rule = try #require(try rules("- { fault: \(text) }").first)
    guard case .fault(let fault) = rule.action else {
      #expect(kind == .shutdown)
      return
    }
    #expect(fault.name == kind.rawValue)
    var writer = JSONWriter()
    fault.write(to: &writer)
    let json = String(decoding: writer.bytes, as: UTF8.self)
    #expect(try rules("- { fault: \(json) }").map(\.action) == [.fault(fault)])
  }

  @Test(arguments: FaultKind.allCases)
  func `a preview says what a provider sees of it, and what it should do`(kind: FaultKind) async throws {
    let text = kind.example == kind.rawValue ? kind.rawValue : "{ \(kind.example) }"
    let rule = try #require(try rules("- { fault: \(text) }").first)
    let simulator = try Simulator(scenario: Scenario(), seed: 1, start: Timestamp(rawValue: 0))
    let preview = await simulator.preview(rule)
    #expect(!preview.sees.isEmpty && !preview.advice.isEmpty)
  }

  @Test(arguments: FaultKind.allCases)
  func `arguments are of their parameters' kinds, and none gets lost`(kind: FaultKind) throws {
    guard kind != .shutdown else { return }
    var arguments: FaultArguments = [:]
    switch kind.row.parameters {
    case .none, .replyOptions: break
    case .value(let parameter, _): arguments[""] = Self.argument(parameter.kind, 0)
    case .fields(let parameters, _):
      // A GOAWAY has a reason or other debug data.
      for (place, parameter) in parameters.enumerated() where parameter.key != "debug" {
        arguments[parameter.key] = Self.argument(parameter.kind, place)
      }
    }
    #expect(try kind.row.make(arguments).arguments == arguments)
  }

  @Test(arguments: FaultKind.allCases)
  func `a fault stands on one listener at least, and in the scenarios' README`(kind: FaultKind) throws {
    #expect(!kind.row.listeners.isEmpty)
    let page = try String(decoding: Fixtures.data("scenarios/README.md"), as: UTF8.self)
    let table = page.split(separator: "\n").filter { $0.hasPrefix("|") }
    let name = kind.rawValue
    #expect(table.contains { $0.contains("`\(name)`") || $0.contains("{ \(name): ") }, "\(name)")
  }

  /// An argument of its own for each place, in rising order.
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
    case .text: .text("text \(place)")
    }
  }
}
