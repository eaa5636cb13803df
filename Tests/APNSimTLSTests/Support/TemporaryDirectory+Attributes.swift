import APNSimTestSupport
import Foundation

extension TemporaryDirectory {
  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: file(name)) }

  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
  }
}
