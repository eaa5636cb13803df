import Foundation

/// The processor time that this thread takes for something. What else the machine does is not in it.
package func threadTime(_ body: () throws -> Void) rethrows -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let before = now()
  try body()
  return now() - before
}
