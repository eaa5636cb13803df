import APNSimCore
import APNSimTestSupport
import APNSimWire
import Testing

@Suite struct `Lines of a device` {
  @Test(arguments: [
    ("hello", "json", "expected a JSON value"),
    (#"{"apps":[}"#, "json", ""),
    ("[]", "request", "apps"),
    ("7", "request", "apps"),
    ("{}", "request", "an empty object"),
    (#"{"apps":{}}"#, "request", "a list of apps"),
    (#"{"apps":[7]}"#, "request", "7"),
    (#"{"apps":[{"topic":""}]}"#, "request", "a topic of 1 to 255 bytes"),
    (#"{"apps":[" a b"]}"#, "request", "without spaces"),
    (#"{"apps":["\u0000"]}"#, "request", "without spaces"),
    (#"{"apps":[{"environment":"sandbox"}]}"#, "request", "nothing"),
    ("{\"apps\":[]}\0", "json", "UTF-8"),
    (#"{"apps":[{"topic":"a","environment":"test"}]}"#, "request", "production or sandbox"),
    (#"{"apps":[{"topic":"a","token":"xyz"}]}"#, "request", "hex digits"),
    (#"{"apps":[{"topic":"a","tokn":"ab"}]}"#, "request", "tokn"),
    (#"{"apps":["a","a"]}"#, "request", "a (production) twice"),
    (#"{"apps":[],"languages":"fr"}"#, "request", "languages"),
    (#"{"apps":[],"install":"a"}"#, "request", "apps and install"),
    (#"{"app":[]}"#, "request", #"the key \"app\""#),
    (#"{"install":"a"}"#, "request", "the device's apps in the first line"),
    (#"{"uninstall":"a"}"#, "request", "the device's apps in the first line"),
  ])
  func `a line that is no request is answered with what was expected and found`(
    line: String,
    reason: String,
    words: String
  ) throws {
    let simulator = try Samples.simulator()
    let device = CoreDevice(simulator, named: "carol")
    device.say(line)
    #expect(device.kinds == ["error"])
    #expect(device.error == reason)
    #expect(device.isEnded)
    let text = device.lines.last?.description ?? ""
    #expect(text.contains(words) || words.hasPrefix("expected"), "\(text)")
    #expect(device.lines.last?["error.expected"] != nil && device.lines.last?["error.found"] != nil)
    #expect(simulator.device("carol") == nil)
  }

  @Test func `one error ends the connection; what follows is not looked at`() throws {
    let simulator = try Samples.simulator()
    let device = CoreDevice(simulator, named: "carol")
    device.say("{}\n{\"apps\":[]}\n{}")
    device.connect(Samples.topic)
    #expect(device.kinds == ["error"])
    #expect(simulator.device("carol") == nil)
  }

  @Test func `a line has at most 64 KiB`() throws {
    let simulator = try Samples.simulator()
    let limit = simulator.configuration.limits.deviceLine
    let fitting = CoreDevice(simulator, named: "carol")
    let start = #"{"apps":[]"#
    fitting.say(start + String(repeating: " ", count: limit - start.utf8.count - 1) + "}")
    #expect(fitting.kinds == ["device"])

    for piece in [limit + 1, 1000] {
      let device = CoreDevice(simulator, named: "dave")
      var sent = 0
      while sent < 4 * limit {
        device.send([UInt8](repeating: UInt8(ascii: " "), count: piece))
        sent += piece
      }
      #expect(device.kinds == ["error"])
      #expect(device.error == "line")
    }
  }

  @Test(arguments: [Cuts.whole, .everyByte, .seeded(3)])
  func `a line means the same however it is cut, with or without a carriage return`(cuts: Cuts) throws {
    let simulator = try Samples.simulator()
    let device = CoreDevice(simulator, named: "bob")
    let text =
      "\r\n\n{\"apps\":[\"\(Samples.topic)\"]}\r\n{\"install\":\"com.example.second\"}\n{\"uninstall\":\"com.exa"
    for piece in cuts.pieces(of: Array(text.utf8)) { device.send(piece) }
    #expect(device.kinds == ["device", "device"])
    #expect(device.token("com.example.second") != nil)
  }

  @Test func `hostile bytes never do more than end their connection`() throws {
    let simulator = try Samples.simulator()
    var generator = SystemRandomNumberGenerator()
    for round in 0..<200 {
      let device = CoreDevice(simulator, named: "carol")
      if round % 2 == 0 { device.connect(Samples.topic) }
      let bytes = (0..<Int.random(in: 1...400)).map { _ in UInt8.random(in: 0...255, using: &generator) }
      device.send(bytes + [10])
      device.close()
    }
    #expect(simulator.device("bob")?.apps.count == 1)
  }

  @Test func `a device has at most 256 apps, and a flood of its lines fills no memory`() throws {
    let simulator = try Samples.simulator()
    let device = CoreDevice(simulator, named: "carol")
    device.say(#"{"apps":[\#((0..<257).map { "\"a\($0)\"" }.joined(separator: ","))]}"#)
    #expect(device.error == "room")
    // Too many are not read one by one.
    let erring = CoreDevice(simulator, named: "erin")
    erring.say(#"{"apps":[\#((0..<256).map { "\"a\($0)\"" }.joined(separator: ",")),7]}"#)
    #expect(erring.error == "room")
    #expect(erring.lines.last?["error.found"] == .string("257"))

    let flood = CoreDevice(simulator, named: "dave")
    flood.say(#"{"apps":[\#((0..<256).map { "\"a\($0)\"" }.joined(separator: ","))]}"#)
    flood.reads = false
    for _ in 0..<200 { flood.connect("a1") }
    flood.reads = true
    flood.read()
    #expect(flood.lines.last?["closed.reason"] == .string("tooSlow"))
  }

  @Test func `a device that says nothing is told so, and one that did is not`() throws {
    let simulator = try Samples.simulator()
    let silent = CoreDevice(simulator, named: "carol")
    silent.connection.silent(for: 10, at: Moment.start)
    silent.read()
    #expect(silent.error == "silence")
    let bob = CoreDevice(simulator, named: "bob")
    bob.connect()
    bob.connection.silent(for: 10, at: Moment.start)
    bob.read()
    #expect(bob.kinds == ["device"])
  }
}
