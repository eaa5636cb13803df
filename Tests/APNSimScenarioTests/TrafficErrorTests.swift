import APNSimScenario
import Testing

@Suite struct `Errors in traffic, timelines and expectations` {
  @Test(arguments: [
    (
      "{ conection: a }",
      [
        "2:5 unknown key \"conection\" in a step of the traffic; known keys: at, connection, topic, environment, certificate, send, push, jwt, cut, end, reset and feedback → connection",
        "2:3 a step of the traffic needs the key \"connection\"",
      ]
    ),
    (
      "{ connection: a, at: now }",
      ["2:24 expected a duration for \"at\", such as 300ms, 5s, 10m, 2h or 28d, found \"now\""]
    ),
    (
      "{ connection: a, send: { to: alcie } }",
      ["2:32 no device is called \"alcie\", and it is not a token in hex digits → alice"]
    ),
    (
      "{ connection: a, certificate: revokd }",
      [
        "2:33 expected good, revoked, expired, foreign, wrongEnvironment or none for the certificate, found \"revokd\" → revoked"
      ]
    ),
    ("{ connection: a, send: { payload: x } }", ["2:26 a notification needs the key \"to\""]),
    (
      "{ connection: a, send: { to: alice, expiry: soon } }",
      [
        "2:47 expected an expiry as seconds since 1970, as a time such as 2012-06-02T00:00:00Z, as a duration such as 1h, or none, found \"soon\""
      ]
    ),
    (
      "{ connection: a, send: { to: alice, expiry: 4294967296 } }",
      ["2:47 expected an expiry from -2147483648 to 4294967295 (it has four bytes), found \"4294967296\""]
    ),
    (
      "{ connection: a, send: { to: alice, expiry: 2106-02-07T06:28:16Z } }",
      [
        "2:47 expected a time for the expiry from 1970-01-01T00:00:00Z to 2106-02-07T06:28:15Z, found \"2106-02-07T06:28:16Z\""
      ]
    ),
    (
      "{ connection: a, send: { to: alice, count: 0 } }",
      ["2:46 expected a whole number from 1 to 100000 for the count, found \"0\""]
    ),
    ("{ connection: a, send: { to: alice, payloadSize: 3 } }", ["2:52 the payload already has 25 bytes"]),
    (
      "{ connection: a, send: [{ to: alice, command: 1, priority: 5 }, { to: alice, priority: 10 }] }",
      [
        "2:62 a priority requires command 2: command 1 has none",
        "2:90 a priority requires command 2: command 1 has none",
      ]
    ),
    (
      "{ connection: a, send: { to: alice, command: 0, identifier: 5, expiry: 1h } }",
      ["2:63 command 0 has no identifier", "2:74 command 0 has no expiry"]
    ),
    ("{ connection: a, send: { to: alice, command: 0, identifier: none, expiry: none } }", []),
    (
      "{ connection: a, send: { hex: 0 } }",
      ["2:33 expected the bytes as an even number of hex digits, found \"0\""]
    ),
    (
      "{ connection: a, send: { hex: '00', to: alice } }",
      ["2:43 \"hex\" gives the raw bytes: \"to\" cannot be given with it"]
    ),
    (
      "{ connection: a, send: { to: alice }, cut: half }",
      ["2:46 expected whole, everyByte or a number of bytes for the cut, found \"half\""]
    ),
    ("{ connection: a, cut: whole }", ["2:25 \"cut\" requires \"send\""]),
    (
      "{ connection: a, end: true, reset: true }",
      ["2:3 a step does one thing, not both \"end\" and \"reset\""]
    ),
    ("{ connection: a, end: false }", ["2:25 expected true for \"end\", found \"false\""]),
    ("{ connection: a, reset: no }", ["2:27 expected true for \"reset\", found \"no\""]),
    (
      "{ connection: a, feedback: all }",
      ["2:30 expected read, or how many tuples to read, from 1 to 1000000, found \"all\""]
    ),
    (
      "{ connection: a, environment: test }",
      ["2:33 expected production or sandbox for the environment, found \"test\""]
    ),
    (
      "{ connection: a, end: true }\n- { connection: a, send: { to: alice } }",
      ["3:17 the connection \"a\" ended on line 2: give a new one another name"]
    ),
    (
      "{ at: 10m, connection: a, send: { to: alice } }\n- { at: 5m, connection: a, end: true }",
      ["2:26 the connection \"a\" ended on line 3: give a new one another name"]
    ),
    ("{ at: 10m, connection: a, end: true }\n- { at: 5m, connection: a, send: { to: alice } }", []),
    (
      "{ connection: a, send: { to: alice, payloadSize: 65535, count: 100000 } }",
      ["2:26 expected at most 256 MiB to be sent at once, found 6263 MiB in the step up to here"]
    ),
    (
      "{ connection: a, send: [{ to: alice, payloadSize: 2000, count: 70000 }, { to: alice }, { to: alice, payloadSize: 2000, count: 70000 }, { to: alice }] }",
      ["2:90 expected at most 256 MiB to be sent at once, found 285 MiB in the step up to here"]
    ),
    (
      "{ connection: a, send: { to: alice, payloadSize: 2000, count: 70000 } }\n- { connection: a, send: { to: alice, payloadSize: 2000, count: 70000 } }",
      []
    ),
    (
      "{ connection: a, topic: one }\n- { connection: a, topic: two }",
      ["3:17 the connection \"a\" already exists: gateway of one (production)"]
    ),
  ])
  func `of the traffic`(text: String, expected: [String]) {
    let found = problemsBehindWorld("traffic:\n- \(text)").map {
      $0.replacing("on line 5", with: "on line 2").replacing("on line 6", with: "on line 3")
    }
    #expect(Set(found) == Set(expected))
  }

  @Test(arguments: [
    ("{ do: { device.online: bob } }", "2:3 a timeline entry needs the key \"at\""),
    ("{ at: 1s }", "2:3 a timeline entry needs \"do\" or \"expect\""),
    (
      "{ at: 1s, do: { device.onlin: bob } }",
      "2:19 unknown action \"device.onlin\"; known actions: device.online, device.offline, device.install, device.uninstall, device.add, device.remove, feedback.add, feedback.clear, clock.advance, clock.set, clock.freeze, clock.resume, history.clear, channel.create, channel.delete, channel.subscribe, channel.unsubscribe, app.broadcast and activity.start → device.online"
    ),
    (
      "{ at: 1s, do: {} }",
      "2:17 expected an action, such as { device.online: bob }, found an empty mapping"
    ),
    (
      "{ at: 1s, do: { device.add: } }",
      "2:31 expected devices as a mapping, such as { dave: { apps: [com.example.app] } }, found nothing"
    ),
    ("{ at: 1s, do: { clock.freeze: no } }", "2:33 expected true for clock.freeze, found \"no\""),
    ("{ at: 1s, do: { device.online: bbo } }", "2:34 no device is called \"bbo\" → bob"),
    ("{ at: 1s, do: { device.online: b0b0 } }", "2:34 no device is called \"b0b0\""),
    (
      "{ at: 1s, do: { device.uninstall: { device: bob, app: com.example.ap } } }",
      "2:57 \"bob\" does not have the app \"com.example.ap\" → com.example.app"
    ),
    (
      "{ at: 1s, do: { clock.advance: much } }",
      "2:34 expected a duration for clock.advance, such as 300ms, 5s, 10m, 2h or 28d, found \"much\""
    ),
    (
      "{ at: 1s, do: { clock.set: then } }",
      "2:30 expected a time for clock.set, such as 2012-06-01T00:00:00Z, found \"then\""
    ),
    (
      "{ at: 1s, do: { device.online: bob }, expect: { error: any } }",
      "2:49 a timeline entry has \"do\" or \"expect\", not both"
    ),
  ])
  func `of a timeline`(text: String, expected: String) {
    #expect(problemsBehindWorld("timeline:\n- \(text)") == [expected])
  }

  @Test(arguments: [
    (
      "{ count: 3 }",
      "2:3 an expectation needs where, device, feedback, error or connection to say what it is about"
    ),
    ("{ whre: {} }", "2:5 unknown key \"whre\" in an expectation → where"),
    ("{ error: , count: 3 }", "2:3 an expectation about errors needs the key \"error\""),
    ("{ device: , inbox: 77 }", "2:3 an expectation about a device needs the key \"device\""),
    (
      "{ connection: , received: \"08\" }",
      "2:3 an expectation about a connection needs the key \"connection\""
    ),
    ("", "2:2 expected an expectation with where, device, feedback, error or connection"),
    (
      "{ where: {}, device: bob }", "2:3 an expectation is about one thing, not both \"where\" and \"device\""
    ),
    (
      "{ where: { tpic: t } }",
      "2:14 unknown key \"tpic\" in a query; known keys: topic, environment, device, token, connection, interface, identifier, command, priority, expiry, outcome, status, payloadSize, id, stream, apnsId, collapseId, pushType, reason, auth.kind, auth.team, auth.key, alert, badge, sound and payload → topic"
    ),
    (
      "{ where: { outcome: deliverd } }",
      "2:23 expected delivered, stored, replaced, expired, notStored, refused, dropped, rejected, discarded or performed for outcome, found \"deliverd\" → delivered"
    ),
    (
      "{ where: {}, count: few }",
      "2:23 expected a number, never, or { exactly, atLeast, atMost } as the count, found \"few\""
    ),
    ("{ where: {}, count: {} }", "2:23 a count needs exactly, atLeast, atMost or never"),
    ("{ where: {}, count: 1, never: true }", "2:33 expected \"count\" or \"never\", found both"),
    (
      "{ where: {}, count: { atLeast: 3, atMost: 2 } }",
      "2:23 expected \"atLeast\" to be no more than \"atMost\", found 3 and 2"
    ),
    (
      "{ where: {}, count: { atLeast: 3, exactly: 5 } }",
      "2:37 \"exactly\" cannot be combined with other bounds"
    ),
    (
      "{ device: bob }", "2:3 an expectation about a device needs inbox, stored, badge, activities or ignored"
    ),
    (
      "{ device: bob, inbx: 1, stored: 1 }",
      "2:18 unknown key \"inbx\" in an expectation about a device; known keys: device, inbox, stored, badge, activities, ignored, app, environment and name → inbox"
    ),
    ("{ error: { status: x } }", "2:22 expected a status as a number or by Apple's name"),
    (
      "{ connection: a }",
      "2:3 an expectation about a connection needs received, answers, ending, alert, records, tuples, accepted, rejected, discarded, resent or lost"
    ),
    (
      "{ connection: a, answers: [200, GOAWY 1] }",
      "2:35 expected a status such as 200, a reason such as Unregistered, RST_STREAM, GOAWAY or SETTINGS in an answer, found \"GOAWY\" in \"GOAWY 1\" → GOAWAY"
    ),
    (
      "{ connection: a, answers: [3 x 410 Unregisterd] }",
      "2:30 expected a status such as 200, a reason such as Unregistered, RST_STREAM, GOAWAY or SETTINGS in an answer, found \"Unregisterd\" in \"410 Unregisterd\" → Unregistered"
    ),
    (
      "{ connection: a, answers: RST_STREAM REFUSED }",
      "2:29 expected a status such as 200, a reason such as Unregistered, RST_STREAM, GOAWAY or SETTINGS in an answer, found \"REFUSED\""
    ),
    (
      "{ connection: a, answers: [2000] }",
      "2:30 expected a status such as 200, a reason such as Unregistered, RST_STREAM, GOAWAY or SETTINGS in an answer, found \"2000\""
    ),
    ("{ connection: b, ending: open }", "2:17 no connection of the traffic is called \"b\""),
    (
      "{ connection: a, ending: closed }",
      "2:28 expected open, close, reset, stopReading or refused for the ending, found \"closed\" → close"
    ),
    (
      "{ connection: a, received: 0x }",
      "2:30 expected what was received as an even number of hex digits, found \"0x\""
    ),
    ("{ where: { connection: ab } }", "2:26 no connection of the traffic is called \"ab\""),
    ("5", "2:3 expected an expectation with where, device, feedback, error or connection, found \"5\""),
  ])
  func `of expectations`(text: String, expected: String) {
    let found = problemsBehindWorld("expect:\n- \(text)\ntraffic: [{ connection: a }]")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(expected) == true, "\(found)")
  }

  @Test func `come all at once, in the order of the file`() {
    let text = """
      expect: [{ whre: {} }]
      traffic: [{ connection: a, send: { to: nobody } }]
      rules: [{ reply: 600 }, { fault: swalow }]
      """
    #expect(problems(in: world + text).map(\.location.line) == [4, 5, 6, 6])
  }
}
