/// How much the control API takes on at once.
package struct ControlLimits: Hashable, Sendable {
  package var connections = 4096
  /// For so long a connection may stay without a request.
  package var requestPatience = Duration.seconds(120)
  /// For so long a request may take from its head to its end.
  package var bodyPatience = Duration.seconds(60)
  /// Open streams of events, of all simulators together.
  package var streams = 256
  /// For so long a reader of events may take nothing while very much happens.
  package var streamPatience = Duration.seconds(10)
  /// Open waits, of the simulator and its sandboxes together.
  package var waits = 2000
  package var sandboxes = 256

  package init() {}
}
