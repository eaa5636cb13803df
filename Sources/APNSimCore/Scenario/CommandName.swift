/// The name of a command, as journals and timelines have it.
///
/// The writer and every reader of commands take names from here, each by a switch over all of them.
package enum CommandName: String, CaseIterable, Sendable {
  case deviceOnline = "device.online"
  case deviceOffline = "device.offline"
  case deviceInstall = "device.install"
  case deviceUninstall = "device.uninstall"
  case deviceRotate = "device.rotate"
  case deviceAdd = "device.add"
  case deviceRemove = "device.remove"
  case feedbackAdd = "feedback.add"
  case feedbackClear = "feedback.clear"
  case clockAdvance = "clock.advance"
  case clockSet = "clock.set"
  case clockFreeze = "clock.freeze"
  case clockResume = "clock.resume"
  case historyClear = "history.clear"
  case deviceChange = "device.change"
  case appRemove = "app.remove"
  case ruleAdd = "rule.add"
  case ruleRemove = "rule.remove"
  case ruleClear = "rule.clear"
  case connectionEnd = "connection.end"
  case channelCreate = "channel.create"
  case channelDelete = "channel.delete"
  case channelSubscribe = "channel.subscribe"
  case channelUnsubscribe = "channel.unsubscribe"
  case appBroadcast = "app.broadcast"
  case activityStart = "activity.start"
  case reset
  case scenarioReplace = "scenario.replace"
}

extension Command {
  package var name: CommandName {
    switch self {
    case .putDevice: .deviceAdd
    case .changeDevice: .deviceChange
    case .removeDevice: .deviceRemove
    case .setOnline(_, let isOnline): isOnline ? .deviceOnline : .deviceOffline
    case .setInstalled(_, _, let isInstalled): isInstalled ? .deviceInstall : .deviceUninstall
    case .rotateTokens: .deviceRotate
    case .addFeedback: .feedbackAdd
    case .clearFeedback: .feedbackClear
    case .advanceClock: .clockAdvance
    case .setClock: .clockSet
    case .freezeClock: .clockFreeze
    case .resumeClock: .clockResume
    case .clearHistory: .historyClear
    case .removeApp: .appRemove
    case .addRule: .ruleAdd
    case .removeRule: .ruleRemove
    case .clearRules: .ruleClear
    case .endConnection: .connectionEnd
    case .addChannel: .channelCreate
    case .deleteChannel: .channelDelete
    case .setSubscribed(_, _, let isSubscribed): isSubscribed ? .channelSubscribe : .channelUnsubscribe
    case .setBroadcast: .appBroadcast
    case .startActivity: .activityStart
    case .reset: .reset
    case .replaceScenario: .scenarioReplace
    }
  }
}
