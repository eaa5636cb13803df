import APNSimWire
import NIOHTTP2

/// A server's mistake that the library of HTTP/2 reports, in words of the protocol.
extension ProviderFailure {
  /// True for frames on streams, or on a connection, that GOAWAY has closed.
  static func isAfterGoAway(_ error: any Error) -> Bool {
    switch error {
    case let error as NIOHTTP2Errors.StreamError: isAfterGoAway(error.baseError)
    case is NIOHTTP2Errors.IOOnClosedConnection, is NIOHTTP2Errors.NoSuchStream,
      is NIOHTTP2Errors.CreatedStreamAfterGoaway, is NIOHTTP2Errors.BadStreamStateTransition:
      true
    default: false
    }
  }

  static func words(http2 error: any NIOHTTP2Error) -> String {
    switch error {
    case is NIOHTTP2Errors.UnableToSerializeFrame:
      "expected a header list of at most 16,384 bytes when compressed, found a request with a longer one"
    case is NIOHTTP2Errors.FlowControlViolation, is NIOHTTP2Errors.InvalidFlowControlWindowSize,
      is NIOHTTP2Errors.InvalidWindowIncrementSize:
      "expected the server to keep to flow control (RFC 9113, section 6.9), found more bytes than a window has, or a window that none can have"
    case is NIOHTTP2Errors.ExcessiveControlFrames, is NIOHTTP2Errors.ExcessiveRSTFrames,
      is NIOHTTP2Errors.ExcessiveEmptyDataFrames, is NIOHTTP2Errors.ExcessiveContinuationFrames,
      is NIOHTTP2Errors.ExcessiveStreamErrors, is NIOHTTP2Errors.ExcessiveNumberOfGlitches:
      "expected answers from the server, found a flood of other frames (PING, SETTINGS, RST_STREAM or empty ones)"
    case is NIOHTTP2Errors.ExcessiveOutboundFrameBuffering:
      "expected the server to read what it is sent, found that it does not"
    case let error as NIOHTTP2Errors.InvalidSetting:
      "expected SETTINGS within the bounds of RFC 9113 (section 6.5.2), found \(error.setting.value) from the server"
    case is NIOHTTP2Errors.ReceivedBadSettings:
      "expected SETTINGS within the bounds of RFC 9113 (section 6.5.2), found others from the server"
    case is NIOHTTP2Errors.UnableToParseFrame:
      "expected a frame of HTTP/2 from the server, found bytes that are none"
    case is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock:
      "expected a header list of at most 16,384 bytes from the server, found a longer one"
    case is NIOHTTP2Errors.IOOnClosedConnection:
      "expected nothing more from the server after the last stream of GOAWAY, found a frame"
    case let error as NIOHTTP2Errors.NoSuchStream:
      "expected frames of open streams from the server, found one of stream \(Int(error.streamID))"
    case let error as NIOHTTP2Errors.StreamClosed:
      "the server reset stream \(Int(error.streamID)): \(HTTP2Code(rawValue: UInt32(clamping: error.errorCode.networkCode)).name)"
    case is NIOHTTP2Errors.RaisedGoawayLastStreamID:
      "expected a second GOAWAY to name no higher stream than the first, found one that does"
    case is NIOHTTP2Errors.CreatedStreamAfterGoaway, is NIOHTTP2Errors.NoStreamIDAvailable:
      "the connection takes no more requests"
    default: "expected the server to speak HTTP/2 as RFC 9113 has it, found that it does not"
    }
  }
}
