import APNSimServer

/// One run of the simulator, from its plan to its end.
struct ServeRun {
  let plan: ServePlan
  let noColor: Bool

  func run() async throws {
    fatalError("waiting for the server room")
  }
}
