/// Inputs of a log, by their kinds.
extension World {
  /// Lets an input of a log happen again.
  mutating func replay(
    _ kind: InputKind,
    _ entry: inout StateReader,
    texts: any StateTexts
  ) throws(StateError) {
    switch kind {
    case .tick: Tick.replay(&entry, on: &self, texts: texts)
    case .command: try CommandInput.replay(&entry, on: &self, texts: texts)
    case .restart: try Restart.replay(&entry, on: &self, texts: texts)
    case .connectionArrived: try ConnectionArrival.replay(&entry, on: &self, texts: texts)
    case .ordinalTaken: try OrdinalTaking.replay(&entry, on: &self, texts: texts)
    case .certificateShown: try CertificateShowing.replay(&entry, on: &self, texts: texts)
    case .connectionRefused: try RefusedConnection.replay(&entry, on: &self, texts: texts)
    case .gatewayOpened: try GatewayOpening.replay(&entry, on: &self, texts: texts)
    case .frames: try Frames.replay(&entry, on: &self, texts: texts)
    case .framesDiscarded: try DiscardedFrames.replay(&entry, on: &self, texts: texts)
    case .restOfFrame: try FrameRest.replay(&entry, on: &self, texts: texts)
    case .streamStruck: try StreamStriking.replay(&entry, on: &self, texts: texts)
    case .framesEnded: try FramesEnd.replay(&entry, on: &self, texts: texts)
    case .gatewayShutDown: try GatewayShutdown.replay(&entry, on: &self, texts: texts)
    case .gatewayClosed: try GatewayClosing.replay(&entry, on: &self, texts: texts)
    case .requestsOpened: try RequestsOpening.replay(&entry, on: &self, texts: texts)
    case .requests: try Requests.replay(&entry, on: &self, texts: texts)
    case .streamGivenUp: try StreamGivenUp.replay(&entry, on: &self, texts: texts)
    case .requestMalformed: try RequestMalformation.replay(&entry, on: &self, texts: texts)
    case .bytesCounted: try BytesCounted.replay(&entry, on: &self, texts: texts)
    case .requestsShutDown: try RequestsShutdown.replay(&entry, on: &self, texts: texts)
    case .requestsClosed: try RequestsClosing.replay(&entry, on: &self, texts: texts)
    case .feedbackOpened: try FeedbackOpening.replay(&entry, on: &self, texts: texts)
    case .feedbackRead: try FeedbackReading.replay(&entry, on: &self, texts: texts)
    case .feedbackClosed: try FeedbackClosing.replay(&entry, on: &self, texts: texts)
    case .deviceOpened: try DeviceArrival.replay(&entry, on: &self, texts: texts)
    case .deviceSaid: try DeviceLines.replay(&entry, on: &self, texts: texts)
    case .linesTaken: try LinesTaking.replay(&entry, on: &self, texts: texts)
    case .deviceSilent: try DeviceSilence.replay(&entry, on: &self, texts: texts)
    case .deviceClosed: try DeviceDisconnection.replay(&entry, on: &self, texts: texts)
    }
  }
}
