// swift-tools-version: 6.2
import PackageDescription

/// Warnings fail the build where it is judged (CI sets `CI=true`), not on a newcomer's newer compiler.
let isCI = Context.environment["CI"] == "true"

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (isCI ? [.treatAllWarnings(as: .error)] : [])

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
// For tests, which hold thousands of descriptors: Foundation's `Process` reads past the end of its list of them
// (swift-corelibs-foundation, pull request 5472).
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")

let package = Package(
  name: "apnsim",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "apnsim", targets: ["apnsim"]),
    .library(name: "APNSimWire", targets: ["APNSimWire"]),
    .library(name: "APNSimCore", targets: ["APNSimCore"]),
    .library(name: "APNSimServer", targets: ["APNSimServer"]),
    .library(name: "APNSimTesting", targets: ["APNSimTesting"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
  ],
  targets: [
    .systemLibrary(name: "CProcessor"),
    // Files, processes, signals, clocks and sockets of the machine.
    .target(name: "APNSimSystem", dependencies: [system], swiftSettings: settings),
    .target(name: "APNSimWire", dependencies: ["CProcessor"], swiftSettings: settings),
    .target(
      name: "APNSimCore",
      dependencies: [
        "APNSimWire",
        "CProcessor",
        .product(name: "HeapModule", package: "swift-collections"),
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: settings
    ),
    .systemLibrary(
      name: "COpenSSL",
      pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
    ),
    // The part of `exec` between fork and exec, where only C may run.
    .target(name: "CSupervisor"),
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
    ),
    .systemLibrary(
      name: "CYAML",
      pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
    ),
    .target(name: "APNSimHTTP2", swiftSettings: settings),
    // For tests only: the oracle of the header compression.
    .systemLibrary(
      name: "CNghttp2",
      pkgConfig: "libnghttp2",
      providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]
    ),
    .target(name: "APNSimGzip", dependencies: ["CZlib"], swiftSettings: settings),
    .target(
      name: "APNSimTLS",
      dependencies: [
        "APNSimSystem",
        "COpenSSL",
        nioCore,
        system,
        .product(name: "NIOTLS", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    // A simulator's state in a directory: a log of its inputs, and snapshots.
    .target(
      name: "APNSimState",
      dependencies: ["APNSimSystem", "APNSimWire", "APNSimCore", "CProcessor", system],
      swiftSettings: settings
    ),
    .target(
      name: "APNSimServer",
      dependencies: [
        "APNSimSystem",
        "APNSimWire",
        "APNSimCore",
        "APNSimTLS",
        "APNSimHTTP2",
        "APNSimGzip",
        nioCore,
        nioPosix,
        system,
        .product(name: "NIOTLS", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "APNSimScenario",
      dependencies: [
        "APNSimSystem",
        "APNSimWire",
        "APNSimCore",
        "CYAML",
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "APNSimCapture",
      dependencies: [
        "APNSimSystem",
        "APNSimWire",
        "APNSimCore",
        "APNSimScenario",
        "APNSimGzip",
        "APNSimHTTP2",
        .product(name: "DequeModule", package: "swift-collections"),
        system,
      ],
      swiftSettings: settings
    ),
    // The files of other programs: a capture is made of them, or they of it.
    .target(
      name: "APNSimImport",
      dependencies: [
        "APNSimSystem",
        "APNSimWire",
        "APNSimCore",
        "APNSimScenario",
        "APNSimCapture",
        "APNSimHTTP2",
        system,
        .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: settings
    ),
    // For tests in Swift. It needs neither the control API nor what that is made of.
    .target(
      name: "APNSimTesting",
      dependencies: [
        "APNSimSystem",
        "APNSimWire",
        "APNSimCore",
        "APNSimTLS",
        "APNSimServer",
        "APNSimScenario",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings
    ),
    // The document of the control API, as part of the program.
    .target(name: "COpenAPIDocument", exclude: ["openapi.json"]),
    // The files of the page, as part of the program.
    .target(name: "CPage", exclude: ["README.md", "asset.inc", "assets"]),
    .target(
      name: "APNSimControl",
      dependencies: [
        "APNSimSystem",
        "COpenAPIDocument",
        "CPage",
        "APNSimWire",
        "APNSimCore",
        "APNSimServer",
        "APNSimState",
        "APNSimScenario",
        "APNSimCapture",
        nioCore,
        nioPosix,
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "APNSimProvider",
      dependencies: [
        "APNSimSystem",
        "APNSimWire",
        "APNSimCore",
        "APNSimTLS",
        "APNSimScenario",
        "APNSimCapture",
        nioCore,
        nioPosix,
        .product(name: "NIOTLS", package: "swift-nio"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "NIOHPACK", package: "swift-nio-http2"),
        system,
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "apnsim",
      dependencies: [
        "APNSimSystem",
        "APNSimWire",
        "APNSimCore",
        "APNSimTLS",
        "APNSimServer",
        "APNSimState",
        "APNSimScenario",
        "APNSimCapture",
        "APNSimImport",
        "APNSimProvider",
        "APNSimControl",
        "CSupervisor",
        nioCore,
        nioPosix,
        system,
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "APNSimSystemTests",
      dependencies: ["APNSimSystem", "APNSimTestSupport", system],
      swiftSettings: settings
    ),
    .testTarget(
      name: "APNSimWireTests",
      dependencies: ["APNSimWire", "APNSimTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "APNSimHTTP2Tests",
      dependencies: ["APNSimCore", "APNSimHTTP2", "CNghttp2"],
      swiftSettings: settings
    ),
    .target(
      name: "APNSimTestSupport",
      dependencies: ["APNSimCore", "APNSimWire"],
      path: "Tests/Support",
      swiftSettings: settings
    ),
    .target(
      name: "APNSimProperties",
      dependencies: [
        "APNSimWire", "APNSimCore", "APNSimHTTP2", "APNSimTLS", "APNSimServer", "APNSimScenario",
        "APNSimCapture", "APNSimImport", "APNSimTestSupport",
      ],
      path: "Tests/Properties",
      swiftSettings: settings
    ),
    .testTarget(
      name: "APNSimPropertyTests",
      dependencies: ["APNSimProperties", "APNSimCore", "APNSimTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "APNSimCoreTests",
      dependencies: ["APNSimCore", "APNSimWire", "APNSimTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "APNSimStateTests",
      dependencies: [
        "APNSimSystem", system, "APNSimState", "APNSimCore", "APNSimWire", "APNSimTestSupport", "CProcessor",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "APNSimTLSTests",
      dependencies: [
        "APNSimSystem",
        "APNSimTLS", "APNSimTestSupport", nioCore, nioPosix, subprocess,
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "APNSimServerTests",
      dependencies: [
        "APNSimSystem",
        "APNSimServer", "APNSimCore", "APNSimWire", "APNSimTLS", "APNSimHTTP2", "APNSimGzip",
        "APNSimProvider", "APNSimScenario",
        "APNSimCapture", "APNSimTestSupport", nioCore, nioPosix, system,
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOTLS", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "APNSimControlTests",
      dependencies: [
        "APNSimControl", "APNSimServer", "APNSimState", "APNSimScenario", "APNSimCapture", "APNSimCore",
        "APNSimWire", "APNSimTLS", "APNSimTestSupport", nioCore, nioPosix,
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "APNSimScenarioTests",
      dependencies: ["APNSimScenario", "APNSimCore", "APNSimWire", "APNSimProperties", "APNSimTestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "APNSimCaptureTests",
      dependencies: [
        "APNSimSystem", "APNSimCapture", "APNSimScenario", "APNSimCore", "APNSimWire", "APNSimGzip",
        "APNSimTestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "APNSimImportTests",
      dependencies: [
        "APNSimSystem", "APNSimImport", "APNSimCapture", "APNSimHTTP2", "APNSimScenario", "APNSimCore",
        "APNSimWire",
        "APNSimProperties", "APNSimTestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "APNSimProviderTests",
      dependencies: [
        "APNSimProvider", "APNSimTesting", "APNSimCore", "APNSimTLS", "APNSimWire", "APNSimTestSupport",
        nioCore,
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "APNSimTestingTests",
      dependencies: [
        "APNSimTesting", "APNSimProvider", "APNSimTLS", "APNSimWire", "APNSimTestSupport", nioCore, nioPosix,
      ],
      swiftSettings: settings
    ),
    // Examples/Testing is a package of its own for its readers; here are its targets once more, so that nothing is built twice.
    .target(name: "Orders", path: "Examples/Testing/Sources/Orders", swiftSettings: settings),
    .testTarget(
      name: "OrdersTests",
      dependencies: ["Orders", "APNSimTesting"],
      path: "Examples/Testing/Tests/OrdersTests",
      swiftSettings: settings
    ),
    // The recipe for others to copy, run as a test: it uses nothing of ours but the program.
    .testTarget(
      name: "RecipeTests",
      dependencies: ["apnsim"],
      path: "recipes/swift",
      exclude: ["README.md"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "APNSimSystem",
        "apnsim", "APNSimProvider", "APNSimScenario", "APNSimCapture", "APNSimServer", "APNSimTLS",
        "APNSimCore",
        "APNSimWire",
        "APNSimTestSupport", nioCore, subprocess,
        system,
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
  ]
)

// Built by `make fuzz` only: its main function is libFuzzer's, which an ordinary build does not link.
if Context.environment["APNSIM_FUZZ"] == "1" {
  package.targets.append(
    .executableTarget(
      name: "ParserFuzzer",
      dependencies: ["APNSimProperties"],
      path: "Fuzz/ParserFuzzer",
      swiftSettings: settings,
      linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]
    )
  )
}

// Built by `make count` only: what it counts is for callgrind to see.
if Context.environment["APNSIM_COUNT"] == "1" {
  package.targets += [
    .systemLibrary(name: "CCallgrind", path: "Benchmarks/CCallgrind"),
    .executableTarget(
      name: "Counts",
      dependencies: [
        "APNSimWire", "APNSimCore", "APNSimServer", "APNSimState", "APNSimScenario", "CCallgrind", nioCore,
        .product(name: "NIOHPACK", package: "swift-nio-http2"),
      ],
      path: "Benchmarks/Counts",
      swiftSettings: settings
    ),
  ]
}
