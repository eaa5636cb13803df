import Testing

@testable import APNSimControl

@Suite struct `Open waits and event streams` {
  @Test func `one sandbox takes at most what it leaves to the others, and the simulator has the rest`() throws
  {
    let count = OpenCount(of: "waits", most: 100)
    var places: [OpenCount.Place] = []
    func fill(_ sandbox: String?) -> Int {
      let before = places.count
      while let place = try? count.enter(sandbox) { places.append(place) }
      return places.count - before
    }
    #expect(fill("a") == 50 && fill("b") == 25 && fill(nil) == 25)
    #expect(count.open == 100)
    places = []
    #expect(count.open == 0 && fill("b") == 50)
  }
}
