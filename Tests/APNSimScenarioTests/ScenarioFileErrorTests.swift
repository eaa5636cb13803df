import APNSimScenario
import Testing

@Suite struct `Scenario file errors` {
  @Test func `several errors are reported together, in the order of the file`() {
    let text = "feedback: 1\ndevices: { a: { online: 7 } }\nseed: x\nname: [1]"
    #expect(problems(in: text).map(\.location.line) == [1, 2, 3, 4])
  }

  @Test func `errors in traffic, expectations and rules come all at once, in the order of the file`() {
    let text = """
      expect: [{ whre: {} }]
      traffic: [{ connection: a, send: { to: nobody } }]
      rules: [{ reply: 600 }, { fault: swalow }]
      """
    #expect(problems(in: world + text).map(\.location.line) == [4, 5, 6, 6])
  }
}
