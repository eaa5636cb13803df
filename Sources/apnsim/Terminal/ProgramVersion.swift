/// The version of the program, as `--version`, the banner, captures and HTTP requests name it.
enum ProgramVersion {
  static let text = "0.2.0"
}
