import APNSimScenario

/// How the result of a replay is written, while it goes on.
protocol ReplayReport: AnyObject {
  func add(_ notification: ReplayedNotification)
  func finish(_ result: ReplayResult) throws
}
