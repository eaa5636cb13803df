import APNSimWire
import Testing

@testable import APNSimCore

/// The report of what was lost, held against what a provider knows of its own pushes.
@Suite struct `Losses over HTTP/2 as a provider has them` {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `any client's losses are what it left out, and what was accepted twice is duplicated`(seed: UInt64)
    throws
  {
    var client = try RetryingClient(seed: seed)
    try client.run()
    let reports = client.simulator.connections().map(\.resend)
    func numbers(_ list: KeyPath<ResendReport, [ProviderReference]>) -> [String] {
      reports.flatMap { $0[keyPath: list].map(\.description) }.sorted()
    }
    let model = client.pushes.map(LossModel.init)
    func names(_ list: KeyPath<LossModel, [Int]>) -> [String] {
      model.flatMap { $0[keyPath: list].map { "n\($0)" } }.sorted()
    }
    #expect(numbers(\.lost) == names(\.lost))
    #expect(numbers(\.resent) == names(\.resent))
    // Of equal pushes that stand, any may be the one that comes twice.
    let content = Dictionary(
      uniqueKeysWithValues: client.pushes.flatMap { push in
        push.attempts.map { ("n\($0.number)", push.content) }
      }
    )
    #expect(
      numbers(\.duplicated).compactMap { content[$0] }.sorted()
        == names(\.duplicated).compactMap { content[$0] }.sorted()
    )
    let leftOut = client.pushes.filter { $0.isAbandoned && $0.attempts.first?.isAnswered == false }
    #expect(numbers(\.lost).count == leftOut.count)
  }
}

/// The losses of one push, told by its attempts in their order.
private struct LossModel {
  var lost: [Int] = []
  var resent: [Int] = []
  var duplicated: [Int] = []

  init(_ push: RetryingClient.Push) {
    var accepted: Set<Int> = []
    for attempt in push.attempts {
      if attempt.isAccepted {
        let again = lost.filter(accepted.contains)
        duplicated +=
          again
          + push.attempts.prefix { $0.number != attempt.number }.filter(\.stands).suffix(1).map(\.number)
          .filter { !duplicated.contains($0) }
      }
      if attempt.isAccepted || attempt.isTold {
        resent += lost
        lost = []
      }
      if !attempt.isAnswered { lost.append(attempt.number) }
      if attempt.isAccepted { accepted.insert(attempt.number) }
    }
  }
}

/// A provider whose requests meet what a seed says, and which sends again whatever it was not told 200 of, but for what it
/// leaves out.
private struct RetryingClient {
  struct Attempt {
    let number: Int
    /// It reached its device.
    var isAccepted = false
    /// Some answer left.
    var isAnswered = false
    /// The answer was 200, and the provider has it.
    var isTold = false
    /// The answer was 200, and its connection was reset.
    var stands = false
  }

  struct Push {
    /// The device, and whatever else makes it equal to others.
    let content: String
    let name: String?
    let isAbandoned: Bool
    /// Others are equal to it: what becomes of them is told apart only where it could not have been another's.
    let isOneOfSeveral: Bool
    var attempts: [Attempt] = []
    var isDone: Bool { attempts.contains(where: \.isTold) || isAbandoned && !attempts.isEmpty }
  }

  /// The fate of an attempt.
  enum Fate: CaseIterable {
    case accepted, unavailable, reset, silent, withheld, late

    static let ofEqual = [accepted, reset, silent]
  }

  let simulator: Simulator
  var pushes: [Push] = []
  /// Where some are equal, no connection is reset: what stands on one would be any of them.
  private let hasEqual: Bool
  private var random: SeededGenerator
  private var sent = 0
}

extension RetryingClient {
  init(seed: UInt64) throws {
    simulator = try Samples.simulator { $0.tokens = .any }
    random = SeededGenerator(seed: seed)
    let abandons = seed % 2 == 1
    hasEqual = seed % 4 < 2
    for group in 0..<pick(1...8) {
      // Equal pushes have no names; the last of them may be left out.
      let count = hasEqual ? pick(1...3) : 1
      let isNamed = count == 1 && pick(0...1) == 1
      for place in 0..<count {
        let isAbandoned = abandons && place == count - 1 && pick(0...2) == 0
        let name = isNamed ? "00000000-0000-4000-8000-0000000000\(10 + group)" : nil
        pushes.append(
          Push(content: "\(group)", name: name, isAbandoned: isAbandoned, isOneOfSeveral: count > 1)
        )
      }
    }
  }

  private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func run() throws {
    var provider: CoreRequester?
    var round = 0
    while pushes.contains(where: { !$0.isDone }) {
      round += 1
      let current = try provider ?? CoreRequester(simulator)
      provider = try send(on: current, isLast: round > 6) ? current : nil
    }
    provider?.close()
  }

  /// Sends what is left as one read.
  /// - Returns: whether the connection can be used again.
  private mutating func send(on provider: CoreRequester, isLast: Bool) throws -> Bool {
    let left = pushes.indices.filter { !pushes[$0].isDone }
    let goAway = !isLast && pick(0...2) == 0 ? pick(0...left.count - 1) : nil
    var requests: [ProviderRequest] = []
    var fates: [Fate] = []
    for (place, index) in left.enumerated() {
      requests.append(request(pushes[index], from: provider))
      let choices = pushes[index].isOneOfSeveral ? Fate.ofEqual : Fate.allCases
      let fate = isLast ? .accepted : choices[pick(0...choices.count - 1)]
      fates.append(place == goAway ? .silent : fate)
      let stream = requests[place].stream
      if place == goAway {
        try script(.fault(.goaway(.init(lastStream: .below))), stream, on: provider)
      } else if let action = fate.action {
        try script(action, stream, on: provider)
      }
    }
    provider.send(requests)
    let isReset = !isLast && !hasEqual && goAway == nil && pick(0...3) == 0
    for (place, index) in left.enumerated() {
      sent += 1
      let isDiscarded = goAway.map { place >= $0 } ?? false
      let fate = isDiscarded ? .silent : fates[place]
      pushes[index].attempts.append(attempt(fate, isReset, mayMiss: !pushes[index].isOneOfSeveral))
    }
    return end(provider, requests.map(\.stream), fates, goAway, isReset)
  }

  private mutating func attempt(_ fate: Fate, _ isReset: Bool, mayMiss: Bool) -> Attempt {
    var attempt = Attempt(number: sent)
    attempt.isAccepted = [.accepted, .withheld, .late].contains(fate)
    attempt.isAnswered = [.accepted, .unavailable].contains(fate)
    // Of what was answered before a reset, some has not come.
    attempt.isTold = fate == .accepted && !(isReset && mayMiss && pick(0...1) == 0)
    attempt.stands = fate == .accepted && isReset
    return attempt
  }

  /// The provider gives up what it waits for: stream by stream, or with the connection.
  private mutating func end(
    _ provider: CoreRequester,
    _ streams: [UInt32],
    _ fates: [Fate],
    _ goAway: Int?,
    _ isReset: Bool
  ) -> Bool {
    if isReset {
      provider.connection.closed(.reset, at: provider.now)
    } else if goAway != nil || pick(0...1) == 0 {
      provider.close()
    } else {
      for (stream, fate) in zip(streams, fates) where [.silent, .withheld, .late].contains(fate) {
        _ = provider.connection.giveUp(stream, .cancel, at: provider.now)
      }
      return true
    }
    return false
  }

  private func request(_ push: Push, from provider: CoreRequester) -> ProviderRequest {
    let token = [UInt8](repeating: 0xCC, count: 31) + [UInt8(push.content) ?? 0]
    let attempt = push.name == nil ? 0 : push.attempts.count
    return provider.request(
      to: Hex.encode(token),
      headers: [("apns-push-type", "alert")] + (push.name.map { [("apns-id", $0)] } ?? []),
      body: #"{"aps":{"alert":"\#(push.content) \#(attempt)"}}"#
    )
  }

  private func script(_ action: Rule.Action, _ stream: UInt32, on provider: CoreRequester) throws {
    var when = RuleMatch()
    when.listener = .interfaces
    when.connection = .equals(.number("\(provider.connection.record.ordinal)"))
    when.stream = .equals(.number("\(stream)"))
    try simulator.perform(.addRule(Rule(when: when, action: action)))
  }
}

extension RetryingClient.Fate {
  fileprivate var action: Rule.Action? {
    switch self {
    case .accepted: return nil
    case .unavailable: return .answer(ScriptedAnswer(reason: .serviceUnavailable))
    case .reset: return .fault(.resetStream(.refusedStream))
    case .silent: return .fault(.unanswered(false))
    case .withheld: return .fault(.unanswered(true))
    case .late:
      var answer = ScriptedAnswer(status: 200)
      answer.delay = .hours(1)
      return .answer(answer)
    }
  }
}
