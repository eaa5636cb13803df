public import Testing

extension APNSimulator.Device {
  /// Returns once so many notifications to this device have matched; as
  /// ``APNSimulator/wait(for:count:timeout:quietFor:advancing:)``.
  @discardableResult
  public func wait(
    for query: APNSimulator.Query = "",
    count: APNSimulator.Count = 1,
    timeout: Duration = .seconds(5),
    quietFor quiet: Duration? = nil,
    advancing advance: Duration? = nil
  ) async throws -> [APNSimulator.Notification] {
    try await apns.wait(
      for: own(query),
      count: count,
      timeout: timeout,
      quietFor: quiet,
      advancing: advance
    )
  }

  /// Expects so many notifications to this device to match; as
  /// ``APNSimulator/expect(_:count:timeout:quietFor:advancing:sourceLocation:)``.
  @discardableResult
  public func expect(
    _ query: APNSimulator.Query = "",
    count: APNSimulator.Count = 1,
    timeout: Duration = .seconds(5),
    quietFor quiet: Duration? = nil,
    advancing advance: Duration? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> [APNSimulator.Notification] {
    await apns.expect(
      own(query),
      count: count,
      timeout: timeout,
      quietFor: quiet,
      advancing: advance,
      sourceLocation: sourceLocation
    )
  }

  /// A query's conditions, the device among them.
  private func own(_ query: APNSimulator.Query) -> APNSimulator.Query {
    // A literal would be a query itself, whose interpolated parts are quoted.
    var line = query.description
    if !line.isEmpty { line += " " }
    line += "device:" + APNSimulator.Query.quoted(name)
    return APNSimulator.Query(line)
  }
}
