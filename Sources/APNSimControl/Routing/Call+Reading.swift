import APNSimCore
import APNSimScenario
import NIOHTTP1

extension Call {
  /// Reads the body with one of the scenario target's readers.
  /// - Throws: `ProblemDetails` with what was expected and found, and the JSON pointer of the place.
  func read<Result>(
    of types: [String] = ["application/json"],
    _ reader: (String) throws(DocumentError) -> Result
  ) async throws(ProblemDetails) -> Result {
    let text = try await body(types)
    let result = try await reading(text, reader)
    do throws(DocumentError) { return try result.get() } catch { throw ProblemDetails(error) }
  }

  /// A body with more bytes is read while no other such body is: a scenario of a megabyte takes a second.
  private static let largeBody = 65_536

  /// Reads a text; a large one in its turn.
  /// - Throws: `ProblemDetails` where whoever sent it has gone meanwhile.
  func reading<Result>(
    _ text: String,
    _ reader: (String) throws(DocumentError) -> Result
  ) async throws(ProblemDetails) -> Swift.Result<Result, DocumentError> {
    let isLarge = text.utf8.count > Self.largeBody
    if isLarge { await services.largeBodies.take() }
    defer { if isLarge { services.largeBodies.leave() } }
    guard !isLarge || isAwaited else { throw ProblemDetails.gone }
    do throws(DocumentError) { return .success(try reader(text)) } catch { return .failure(error) }
  }

  /// Refuses a body with content if the route takes none.
  func checkBody() async throws(ProblemDetails) {
    guard route.body == .none, route.method != .GET else { return }
    try await read(of: [], EmptyBody.read)
  }

  /// Compiles a query in one line, if there is one.
  /// - Parameter times: only what came in then; nil for whenever.
  /// - Throws: `ProblemDetails` with the column of the error.
  static func compiled(
    _ line: String?,
    within times: (from: Timestamp, to: Timestamp)? = nil
  ) throws(ProblemDetails) -> CompiledQuery? {
    guard let line, line.contains(where: { $0 != " " }) else {
      return times.map { CompiledQuery(Query(), within: $0) }
    }
    do throws(DocumentError) {
      return CompiledQuery(try QueryLine.parse(line), within: times)
    } catch {
      throw ProblemDetails.query("query", error)
    }
  }
}

extension QueryParameters {
  /// The time of a parameter, simulated; nil if it is not given.
  func time(_ name: String) throws(ProblemDetails) -> Timestamp? {
    try value(name, "a time such as 2012-06-01T02:02:00Z") { Timestamp($0) }
  }

  /// The times of `from` and `to`, the end not included; nil where neither is given.
  func times() throws(ProblemDetails) -> (from: Timestamp, to: Timestamp)? {
    let (start, end) = (try time("from"), try time("to"))
    guard start != nil || end != nil else { return nil }
    return (start ?? Timestamp(rawValue: .min), end ?? Timestamp(rawValue: .max))
  }
}

extension ProblemDetails {
  /// Nobody reads it.
  fileprivate static let gone = ProblemDetails(
    .serviceUnavailable,
    title: "Gone",
    detail: "the client has closed its connection"
  )

  /// The problem of a query in one line, with its column.
  static func query(_ name: String, _ error: DocumentError) -> ProblemDetails {
    let first = error.problems.first
    var problem = ProblemDetails.parameter(
      name,
      first?.message ?? "not understood",
      hint: first?.suggestion.map { "did you mean \"\($0)\"?" }
        ?? "such as topic:com.example.* alert~\"order\" status:8 !device:bob"
    )
    problem.column = first?.location.column
    return problem
  }

  /// Makes the problem of a body: the first error in words, the others as a list.
  init(_ error: DocumentError) {
    let first = error.problems.first
    self = .body(
      first?.message ?? "not understood",
      pointer: first?.pointer,
      hint: first?.suggestion.map { "did you mean \"\($0)\"?" }
    )
    line = first?.location.line
    column = first?.location.column
    others = error.problems.dropFirst().map { problem in
      Detail(
        detail: problem.message,
        pointer: problem.pointer,
        line: problem.location.line,
        column: problem.location.column
      )
    }
  }
}
