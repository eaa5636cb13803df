import APNSimSystem

/// A thread that lets go of a large object, with less weight than threads that somebody waits for.
///
/// The memory of a simulator takes tens of milliseconds to free. At the same weight the scheduler lets an event loop on
/// that core wait for a slice of its time, which is milliseconds.
enum ReleaseThread {
  /// Little weight, and enough to get on where all cores are busy: the allocator's locks are shared.
  private static let niceness: CInt = 10

  /// Lets go of an object that nobody else holds; where no thread can be had, at once.
  static func letGo<Object: AnyObject & Sendable>(of object: consuming Object) {
    let held = Unmanaged<AnyObject>.passRetained(consume object)
    if !ThisProcess.startThread(held.toOpaque(), release) { held.release() }
  }

  private static let release: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    held in
    ThisProcess.lowerThreadWeight(to: niceness)
    if let held { Unmanaged<AnyObject>.fromOpaque(held).release() }
    return nil
  }
}
