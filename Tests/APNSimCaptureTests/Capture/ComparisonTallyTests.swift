import APNSimCapture
import Testing

@Suite struct `Differences are tallied` {
  @Test func `a tally keeps the first differences and counts all`() {
    var tally = ComparisonTally<String>(mostKept: 2)
    #expect(tally.isSame && tally.firstDifference == nil)
    for name in ["c1", "c2", "c3"] { tally.add(name) }
    tally.add("c4", count: 5)
    #expect(tally.kept == ["c1", "c2"] && tally.firstDifference == "c1")
    #expect(tally.differences == 8 && !tally.isSame)
  }

  @Test func `a tally says by the reason what was not compared, and that not everything was`() {
    var tally = ComparisonTally<String>(mostKept: 1)
    tally.addSame()
    #expect(tally.same == 1 && tally.comparesEverything)
    tally.add(.unseen)
    tally.add(.gaps, connections: 3)
    tally.add(.gaps)
    #expect(tally.uncompared == [.unseen: 1, .gaps: 4] && !tally.comparesEverything && tally.isSame)
  }
}
