import APNSimCapture

/// How the result of a replay is written, while it goes on.
protocol ReplayReport: AnyObject {
  func add(_ notification: ReplayedNotification)
  /// - Parameter span: how long the replay took.
  func finish(_ result: ReplayResult, after span: Duration) throws
}
