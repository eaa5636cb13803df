import NIOCore
import NIOHTTP2

extension ChannelPipeline.SynchronousOperations {
  /// Adds a client's side of HTTP/2.
  func addHTTP2(
    _ configuration: NIOHTTP2Handler.ConnectionConfiguration = .init()
  ) throws -> NIOHTTP2Handler.StreamMultiplexer {
    try addHandler(UnfinishedReadHandler())
    return try configureHTTP2Pipeline(
      mode: .client,
      connectionConfiguration: configuration,
      streamConfiguration: .init(),
      inboundStreamInitializer: { $0.close() }
    )
  }

  /// Adds a client's side of HTTP/2 that sends what it is given, malformed or not: the server is to judge it.
  func addUnjudgedHTTP2() throws -> NIOHTTP2Handler.StreamMultiplexer {
    var configuration = NIOHTTP2Handler.ConnectionConfiguration()
    configuration.headerBlockValidation = .disabled
    configuration.contentLengthValidation = .disabled
    try addHandler(WriteGatherer())
    return try addHTTP2(configuration)
  }
}
