/// Looking at Live Activities. Each answer is one consistent moment.
extension Simulator {
  /// A person's view of a device's activities at the clock's time, in the order in which they began, and the last
  /// pushes that showed nothing; nil for a device that is not there.
  package func activities(of name: String) -> (activities: [ActivityView], ignored: [IgnoredPush])? {
    withWorld { world in
      guard let device = try? world.find(device: name) else { return nil }
      let views = world.activities.activities(of: device).map { ActivityView($0, at: world.now) }
      return (views, world.activities.ignored(of: device))
    }
  }
}
