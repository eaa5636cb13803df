import APNSimTesting
import Orders
import XCTest

/// A test case of XCTest with a simulator for each test. The journal of one that fails is printed.
class PushTestCase: XCTestCase {
  private(set) var apns: APNSimulator?

  override func setUp() async throws {
    apns = try await APNSimulator.start()
  }

  override func tearDown() async throws {
    if let apns, testRun?.hasSucceeded == false { print(apns.journal) }
    await apns?.stop()
  }
}

final class OrderXCTests: PushTestCase {
  func testItArrives() async throws {
    let apns = try XCTUnwrap(apns)
    let alice = try apns.device("alice")
    let outcome = try await OrderProvider(apns).announce(order: 17, to: alice.token)
    XCTAssertEqual(outcome, .sent)
    try await alice.wait(for: #"outcome:delivered alert~"order #17""#)
  }

  func testAWaitInVainSaysWhatCameNearest() async throws {
    let apns = try XCTUnwrap(apns)
    let bob = try apns.device("bob")
    _ = try await OrderProvider(apns).announce(order: 17, to: bob.token)
    do {
      try await bob.wait(for: "alert~/#18 /", timeout: .milliseconds(100))
      XCTFail("it was not in vain")
    } catch let failure as APNSimulator.WaitFailure {
      XCTAssertTrue(failure.description.contains(#"found "Your order #17 is on its way""#), "\(failure)")
    }
  }
}
