// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Orders",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "apnsim", path: "../..")],
  targets: [
    .target(name: "Orders"),
    .testTarget(
      name: "OrdersTests",
      dependencies: ["Orders", .product(name: "APNSimTesting", package: "apnsim")]
    ),
  ]
)
