/// The containers on the path that matters, by their depth.
enum PayloadLevel: Int {
  case root = 1
  case aps, alert, locArgs
}
