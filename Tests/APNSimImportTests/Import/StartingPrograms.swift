/// The suites that start programs: tshark, or what stands in for it. The others are pure, and `scripts/test-swift` keeps them so.
enum StartingPrograms {}
