/// The provider tokens that teams change to, on all their connections.
package struct TeamTokenUpdates: Sendable {
  /// The most teams that are told apart; those beyond are counted as one.
  package static let maximumTeams = 1024

  private var teams: [String: ProviderTokenUpdates] = [:]

  package init() {}

  /// The counts of a team, to be changed in their place.
  subscript(team: String) -> ProviderTokenUpdates? {
    _read { yield teams[name(of: team), default: ProviderTokenUpdates()] }
    _modify {
      let name = name(of: team)
      if teams[name] == nil { teams[name] = ProviderTokenUpdates() }
      yield &teams[name]
    }
  }

  private func name(of team: String) -> String {
    teams[team] != nil || teams.count < Self.maximumTeams ? team : ""
  }
}

extension TeamTokenUpdates: Kept {
  func write(to state: inout StateWriter) { state.write(teams) }

  init(reading state: inout StateReader) throws(StateError) { teams = try state.read() }
}
