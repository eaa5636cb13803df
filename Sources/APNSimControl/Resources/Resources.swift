/// Everything that can be asked, a resource a file.
enum Resources {
  static let all: [Route] = [
    NotificationsResource.routes
  ].flatMap { $0 }
}
