import APNSimCore
import APNSimScenario

extension ScenarioScript {
  /// The reason why no provider that speaks HTTP/2 over a network would show a scenario's fault as one without does; nil where all
  /// can be played.
  var lacksClient: String? {
    let pushes = traffic.contains { if case .push = $0.action { true } else { false } }
    guard pushes else { return nil }
    for rule in scenario.rules where rule.when.listener != .gateway && rule.when.listener != .feedback {
      guard case .fault(let fault) = rule.action else { continue }
      switch fault {
      case _ where fault.ofAnswer.goAway.map { $0.then != .close } ?? false:
        return
          "fault \"goaway\" leaves the connection open: over a network a provider sends nothing after GOAWAY"
      case .blackHole:
        return
          "fault \"blackHole\" sends no SETTINGS: over a network a provider waits for them before it pushes"
      case .reset(.afterRequests(0)):
        return
          "fault \"reset\" strikes before the first request: over a network a provider may see a close instead"
      default: continue
      }
    }
    return nil
  }
}
