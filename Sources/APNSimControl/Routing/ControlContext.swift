internal import Hummingbird
internal import NIOCore

/// What a request comes with: the connection it came on.
struct ControlContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}
