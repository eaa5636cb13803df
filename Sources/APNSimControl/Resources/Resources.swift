/// Everything that can be asked, a resource a file.
enum Resources {
  static let all: [Route] = [
    WaitResource.routes, NotificationsResource.routes, EventsResource.routes, DevicesResource.routes,
    FeedbackResource.routes, FaultsResource.routes, ScenarioResource.routes, ClockResource.routes,
    ConnectionsResource.routes, SteeringResource.routes, CaptureResource.routes, MetricsResource.routes,
    SandboxesResource.routes, DocumentResource.routes,
  ].flatMap { $0 }
}
