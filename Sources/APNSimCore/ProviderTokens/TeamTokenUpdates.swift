/// The provider tokens that teams change to, on all their connections.
package struct TeamTokenUpdates: Sendable {
  /// The most teams that are told apart; those beyond are counted as one.
  package static let maximumTeams = 1024

  private var teams: [String: ProviderTokenUpdates]

  package init() { self.init([:]) }

  private init(_ teams: [String: ProviderTokenUpdates]) { self.teams = teams }

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

extension TeamTokenUpdates: KeptByMembers {
  static let members = Members(Self.init, \.teams)
}
