import APNSimCore
import APNSimScenario
import Hummingbird

extension Call {
  /// Reads the body with one of the scenario target's readers.
  /// - Throws: `ProblemDetails` with what was expected and found, and the JSON pointer of the place.
  func read<Result>(
    of types: [String] = ["application/json"],
    _ reader: (String) throws(DocumentError) -> Result
  ) async throws(ProblemDetails) -> Result {
    let text = try await body(types)
    do throws(DocumentError) {
      return try reader(text)
    } catch {
      throw ProblemDetails(error)
    }
  }

  /// Refuses a body with content if the route takes none.
  func checkBody() async throws(ProblemDetails) {
    guard route.body == .none, route.method != .get else { return }
    try await read(of: [], EmptyBody.read)
  }

  /// Compiles a query in one line, if there is one.
  /// - Throws: `ProblemDetails` with the column of the error.
  static func compiled(_ line: String?) throws(ProblemDetails) -> CompiledQuery? {
    guard let line, line.contains(where: { $0 != " " }) else { return nil }
    do throws(DocumentError) {
      return CompiledQuery(try QueryLine.parse(line))
    } catch {
      var problem = ProblemDetails.parameter(
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

extension ProblemDetails {
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
