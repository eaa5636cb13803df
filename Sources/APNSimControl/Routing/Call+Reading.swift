internal import APNSimCore
internal import APNSimScenario
internal import Hummingbird

extension Call {
  /// The body, read by one of the scenario room's readers.
  /// - Throws: `Problem` that says what was expected and found, with the JSON pointer of the place.
  func read<Result>(
    of types: [String] = ["application/json"],
    _ reader: (String) throws(DocumentError) -> Result
  ) async throws(Problem) -> Result {
    let text = try await body(types)
    do throws(DocumentError) {
      return try reader(text)
    } catch {
      throw Problem(error)
    }
  }

  /// Refuses what stands in a body where the route has nothing to be told.
  func checkBody() async throws(Problem) {
    guard route.body == .none, route.method != .get else { return }
    try await read(of: [], EmptyBody.read)
  }

  /// A query in one line, if there is one.
  /// - Throws: `Problem` with the column of what is wrong.
  static func compiled(_ line: String?) throws(Problem) -> CompiledQuery? {
    guard let line, line.contains(where: { $0 != " " }) else { return nil }
    do throws(DocumentError) {
      return CompiledQuery(try QueryLine.parse(line))
    } catch {
      var problem = Problem.parameter(
        "query",
        error.problems.first?.message ?? "not understood",
        hint: error.problems.first?.suggestion.map { "did you mean \"\($0)\"?" }
          ?? "such as topic:com.example.* alert~\"order\" status:8 !device:bob"
      )
      problem.column = error.problems.first?.location.column
      throw problem
    }
  }
}

extension Problem {
  /// What is wrong in a body, the first thing in words and all of them as a list.
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
