import APNSimCore
import APNSimTestSupport
import APNSimWire

/// Requests about channels and broadcasts, and what happens to devices and channels between them: each is answered once
/// and the same however many came in one read, and the channels there are at any time are those that were created.
enum ChannelProperty {
  /// The first byte chooses limits, authorization and the devices; then steps, each up to a zero byte. A step that begins
  /// with `!` is a command of two further bytes, any other a request as `request` has it, in which an `apns-channel-id`
  /// of one byte is the channel of that number.
  static func violation(_ input: [UInt8]) -> String? {
    guard let choice = input.first else { return nil }
    let steps = input.dropFirst().split(separator: 0, omittingEmptySubsequences: true).prefix(64)
    guard let together = Run(choice), let alone = Run(choice) else { return "the simulator did not start" }
    var requests: [ProviderRequest] = []
    for step in steps {
      guard step.first == UInt8(ascii: "!") else {
        // Of the channels that were created by now.
        let request = alone.request(step)
        alone.send([request])
        requests.append(request)
        continue
      }
      together.send(requests)
      requests = []
      for run in [together, alone] { run.perform(step) }
    }
    together.send(requests)
    for run in [together, alone] { run.end() }
    if let flaw = together.flaw ?? alone.flaw { return flaw }
    guard together.answers == alone.answers else { return "in one read the answers differ" }
    return together.simulator.channels().channels == alone.simulator.channels().channels
      ? nil : "in one read other channels remain"
  }

  private static let start = Timestamp(seconds: 1_338_508_800)
  private static let bundleId = "com.example.fuzz"

  /// A simulator with a connection, and what it said.
  private final class Run {
    let simulator: Simulator
    private let journal: MemoryJournal
    private let connection: RequestConnection
    private let authorization: RequestAuthorization
    private let limit: Int
    private(set) var answers: [RequestAnswer] = []
    private(set) var flaw: String?
    /// The identifiers of all channels that there were since the last reset.
    private var known: [String] = []
    private var views: [ChannelView] = []
    private var stream: UInt32 = 1

    init?(_ choice: UInt8) {
      var configuration = Configuration()
      if choice & 1 != 0 { configuration.limits.channels = 2 }
      if choice & 2 != 0 { configuration.limits.history = 4 }
      limit = configuration.limits.channels
      let app = AppKey(topic: bundleId, environment: .production)
      var scenario = Scenario()
      scenario.clock = .virtual(start: start)
      scenario.devices = ["d0", "d1", "d2"].map { name in
        let token = Array(repeating: name.utf8.last ?? 0, count: 32)
        return DeviceSpecification(
          name: name,
          isOnline: name == "d0",
          apps: [AppSpecification(app: app, token: token)]
        )
      }
      if choice & 4 != 0 { scenario.channels = [ChannelSpecification(app: app, subscribers: ["d0", "d1"])] }
      let identity = ProviderIdentity(
        topics: choice & 8 != 0 ? [bundleId] : [],
        environment: .production,
        subject: ""
      )
      guard
        let simulator = try? Simulator(
          configuration: configuration,
          scenario: scenario,
          seed: 1,
          start: start
        ),
        let connection = try? simulator.openRequests(
          ConnectionOpening(peer: "", provider: identity),
          at: start
        )
      else { return nil }
      let facts = ProviderTokenFacts(
        number: 1,
        keyID: "KEY",
        teamID: "TEAM",
        issuedAt: start.rawValue / 1000,
        verdict: .good
      )
      authorization = choice & 8 != 0 ? .certificate : .bearer(facts)
      (self.simulator, self.connection) = (simulator, connection)
      journal = MemoryJournal(simulator)
      look(past: nil)
    }

    // MARK: - Steps

    func send(_ requests: [ProviderRequest]) {
      let received = connection.receive(requests, at: start).answers
      answers += received
      if received.count > requests.count { flaw = "\(received.count) answers to \(requests.count) requests" }
      for answer in received { check(answer) }
      look(past: received.count == 1 && requests.count == 1 ? received[0] : nil)
    }

    func request(_ step: ArraySlice<UInt8>) -> ProviderRequest {
      var (headers, body) = RequestProperty.read(step)
      for index in headers.indices where headers[index].name == Array("apns-channel-id".utf8) {
        guard headers[index].value.count == 1, let number = headers[index].value.first else { continue }
        headers[index].value = Array(channel(number).utf8)
      }
      stream += 2
      return ProviderRequest(stream: stream, headers: headers, body: body, authorization: authorization)
    }

    private func channel(_ number: UInt8) -> String {
      known.isEmpty ? "AAAA" : known[Int(number) % known.count]
    }

    func perform(_ step: ArraySlice<UInt8>) {
      let letters = Array(step.dropFirst())
      guard let letter = letters.first else { return }
      let argument = letters.dropFirst().first ?? 0
      let command = command(letter, argument)
      try? simulator.perform(command, at: start)
      // A reset begins anew, with the seed and the clock of the beginning: identifiers come again.
      if case .reset = command { known = [] }
      look(past: nil)
    }

    private func command(_ letter: UInt8, _ argument: UInt8) -> Command {
      let device = "d\(argument % 3)"
      let reference = ChannelReference(id: channel(argument / 3))
      let app = AppKey(topic: bundleId, environment: .production)
      switch letter {
      case UInt8(ascii: "s"): return .setSubscribed(device: device, reference, true)
      case UInt8(ascii: "u"): return .setSubscribed(device: device, reference, false)
      case UInt8(ascii: "n"): return .setOnline(device: device, true)
      case UInt8(ascii: "f"): return .setOnline(device: device, false)
      case UInt8(ascii: "i"): return .setInstalled(device: device, app: app, true)
      case UInt8(ascii: "r"): return .setInstalled(device: device, app: app, false)
      case UInt8(ascii: "d"): return .deleteChannel(reference)
      case UInt8(ascii: "c"):
        return .addChannel(ChannelSpecification(app: app, id: argument & 1 == 0 ? nil : reference.id))
      case UInt8(ascii: "b"): return .setBroadcast(bundleId: bundleId, argument & 1 == 0)
      case UInt8(ascii: "x"): return .removeDevice(device)
      case UInt8(ascii: "h"): return .clearHistory
      case UInt8(ascii: "z"): return .reset
      default: return .advanceClock(.seconds(Int64(argument) * 600))
      }
    }

    func end() {
      connection.closed(.peerClosed, at: start)
      for device in ["d0", "d1", "d2"] { try? simulator.perform(.setOnline(device: device, true), at: start) }
      try? simulator.perform(.advanceClock(.hours(24)), at: start)
      look(past: nil)
      if views.contains(where: { $0.stored != nil }) { flaw = flaw ?? "a message waits for more than a day" }
      for line in journal.text.split(separator: "\n") where (try? JSONValue.parse(Array(line.utf8))) == nil {
        flaw = flaw ?? "a line of the journal is \(line)"
      }
    }

    // MARK: - Checks

    private func check(_ answer: RequestAnswer) {
      guard answer.status == 201 || answer.header("apns-channel-id") == nil else {
        flaw = "\(answer.status) with a channel's identifier"
        return
      }
      if answer.status == 201 {
        guard let id = answer.header("apns-channel-id"), ChannelSpecification.isIdentifier(id) else {
          flaw = "201 without a channel's identifier"
          return
        }
        if known.contains(id) { flaw = "the identifier \(id) comes again" }
      }
      let body = answer.body
      if !body.isEmpty, (try? JSONValue.parse(body)) == nil {
        flaw = "the body of an answer is \(String(decoding: body, as: UTF8.self))"
      }
    }

    /// Compares the channels there are with those before.
    /// - Parameter answer: the answer to the one request that was sent in between; nil for anything else.
    private func look(past answer: RequestAnswer?) {
      let before = views.map(\.id)
      views = simulator.channels().channels
      let now = views.map(\.id)
      for id in now where !known.contains(id) { known.append(id) }
      guard Set(views.map { "\($0.app) \($0.id)" }).count == views.count else {
        flaw = "two channels of an app have one identifier"
        return
      }
      for view in views { check(view) }
      for views in Dictionary(grouping: views, by: \.app).values where views.count > limit {
        flaw = "an app has \(views.count) channels"
      }
      guard let answer else { return }
      switch answer.status {
      case 201:
        if now != before + [answer.header("apns-channel-id") ?? ""] { flaw = "201, and no new channel" }
      case 204: if now.count != before.count - 1 { flaw = "204, and no channel less" }
      default: if now != before { flaw = "\(answer.status) changes the channels" }
      }
    }

    private func check(_ view: ChannelView) {
      guard view.subscribers.count == min(view.subscriberCount, 1000),
        Set(view.subscribers).count == view.subscribers.count
      else {
        flaw = "\(view.subscriberCount) subscribers are \(view.subscribers)"
        return
      }
      guard (view.stored == nil) == (view.until == nil) else {
        flaw = "a message waits without an end, or the end without the message"
        return
      }
      if view.stored != nil, view.storagePolicy == .none { flaw = "a channel stores that does not" }
      let description = ChannelDescription.body(of: view.storagePolicy).withUnsafeBytes {
        ChannelDescription.read($0)
      }
      if description.storagePolicy != view.storagePolicy || description.defect != nil {
        flaw = "a channel's own description is read as another"
      }
    }
  }
}
