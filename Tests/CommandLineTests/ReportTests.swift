import APNSimCapture
import APNSimScenario
import Testing

@testable import apnsim

/// Text and JSON of each report are in the tests of the command that writes it.
@Suite struct `Every report can be written as JUnit XML` {
  @Test func `a scenario has a case for each expectation, which fails where it does not hold`() throws {
    let script = try ScenarioFile.script(
      """
      name: Mail & more
      devices: { bob: { apps: [com.example.app] } }
      traffic: [{ connection: a, send: { to: bob } }]
      expect:
        - { where: { outcome: delivered }, count: 1 }
        - { where: { priority: 5 }, count: 1 }
      """,
      name: "test.yaml"
    )
    let report = try ScenarioRunner(script).run()
    let lines = try report.junit(report.outcomes).split(separator: "\n")
    #expect(lines[1] == #"<testsuites tests="2" failures="1" errors="0" time="0.000">"#)
    let suite =
      #"<testsuite name="apnsim scenario run Mail &amp; more" tests="2" failures="1" errors="0" skipped="0" "#
    #expect(lines[2].hasPrefix(suite))
    let group = #"<testcase classname="expectations" name="line "#
    #expect(lines[3] == group + #"5: notifications with outcome &quot;delivered&quot;" time="0"></testcase>"#)
    let failure =
      #"6: notifications with priority 5" time="0"><failure message="expected exactly 1, found 0 (at "#
    #expect(lines[4].hasPrefix(group + failure), "\(lines[4])")
    #expect(
      lines[4].hasSuffix(#" type="expectation">n1: priority expected 5, found 10</failure></testcase>"#)
    )
    #expect(lines[5...] == ["<system-out></system-out>", "</testsuite>", "</testsuites>"])
  }

  @Test func `a comparison of captures has a case for each difference, and one for what both have`() throws {
    let (a, b) = ("recorded/scenarios/bad-token.jsonl.gz", "recorded/scenarios/flaky-evening.jsonl.gz")
    let (one, two) = (try digest(a), try digest(b))
    let diff = CaptureDiff(one, two, comparesTimes: false, comparesConnections: false)
    let report = DiffReport(diff: diff, a: (a, one), b: (b, two))
    let lines = try report.junit(report.entries).split(separator: "\n")
    let cases = lines.filter { $0.hasPrefix("<testcase ") }
    #expect(cases.count == diff.differences.count + 1 && cases.count > 2)
    #expect(cases.count { $0.contains("<failure ") } == diff.differences.count)
    #expect(cases.last?.contains(#"classname="captures" name="\#(diff.matched) notification"#) == true)
  }

  private func digest(_ name: String) throws -> CaptureDigest {
    CaptureDigest(try CaptureReader(path: Captures.path(name)))
  }
}
