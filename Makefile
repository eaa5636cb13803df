#: make run            build what is missing and start the simulator (ARGS="--edition final" passes flags)
#: make check          for every commit, in minutes: formatting, lint, floors, the build, and the tests without socket and process
#: make test           everything: set-up, lint, the build and all suites, side by side (scripts/suites --list); what did not change
#:                     since it passed in this clone is left out (ALL=yes runs it too); PARTS="clients page" chooses, PARTS=ci adds packages
#: make test-swift     the Swift tests alone
#: make test-clients   real providers against the built server (PYTEST="-k pushjack" chooses)
#: make test-state     a server with a durable state, killed under load STATE_KILLS (200) times (STATE_SEED repeats a run; PYTEST chooses)
#: make test-recipes   what stands in recipes/ to copy, against the built server (RECIPES="go ruby" chooses)
#: make test-container the container image and the examples with containers, in namespaces (PYTEST="-k health" chooses)
#: make test-page      the page in a browser, against the built server (PYTEST="-k keyboard" chooses)
#: make test-docs      links, command lines and terminals of the documents, against the built program (PYTEST="-k tutorial" chooses)
#: make docs-testing   the documentation of APNSimTesting, by DocC: .build/APNSimTesting.doccarchive
#: make test-example   the package in Examples/Testing, which depends on this one, and its planted failure
#: make count          instructions for each kind of notification, on any machine, held to Benchmarks/counts.json (UPDATE=yes writes it)
#: make count-program  instructions of the whole program for one notification, beside the goals
#: make digest         one line for each thing that must not move when code is moved (UPDATE=yes; PROGRAM=FILE compares two programs)
#: make faults         what is made of the rows of faults: the table in the scenarios' README, and the schema of scenarios
#: make nightly        what is too slow for `make test`: 200 kills, sanitizers, soak, fuzzing, two builds with the same bytes
#: make site           the documentation as pages that need no server: .build/site/index.html
#: make screenshots    the pictures of the page in docs/page, made again
#: make build          the debug build, which the tests use: .build/debug/apnsim; nine CPU-minutes from nothing
#: make release        the fast build, which `make run` starts: .build/release/apnsim; twelve CPU-minutes from nothing
#: make fuzz           libFuzzer over each parser of outside input, FUZZ_SECONDS (60) each (FUZZ_TARGET=scenario chooses)
#: make soak           what is claimed of staying power, against the fast build (SOAK="--only full_disk", SOAK_SECONDS=600)
#: make sanitize       the Swift tests under the thread and the address sanitizer (SANITIZE=thread chooses)
#: make bench          speed beside the limit of the machine, a table for each case (BENCH="--only binary --runs 9")
#: make package        the fast build as a Debian package and as a tarball that runs from any folder: .build/package
#: make test-package   what is in the packages, and each tried in a bare Debian of its own; needs root, and a mirror once
#: make test-twice     two builds from nothing, of the same dependencies, give the same packages, byte for byte; takes twice as long as `make release`
#: make man            the manual pages, from the command line's own help: .build/man/*.1
#: make lint           formatting, floors and lengths, as CI judges them, and files that must stay as they are (UPDATE=yes lets a target grow)
#: make format         puts the formatting right
#: make setup          installs what the other targets need, where it is missing: packages, Python libraries
#: make clean          removes everything that was built or installed here; certs/ stays
#: make help           this table

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: run check test test-swift test-clients test-state test-recipes test-container test-page test-docs docs-testing \
  test-example test-package test-twice nightly site screenshots build release package fuzz soak sanitize bench count count-program \
  digest faults man lint format setup setup-build setup-clients setup-recipes setup-page setup-docs setup-package setup-count clean help

SWIFT_FILES := Sources Tests Fuzz Benchmarks recipes Examples Package.swift
FUZZ_SECONDS ?= 60
FUZZ_TARGET ?= gateway text scenario configuration strings device certificate capture redaction packets hex query body push http2 \
  request jwt channels exchange archive
SOAK ?=
SANITIZE ?=
ARGS ?=
PARTS ?=
export PYTEST ?=
export RECIPES ?=
export STATE_KILLS ?= 200
BENCH ?=
# Swift's libraries in the program itself: it starts in three quarters of the time, and runs where there is no Swift.
# Nobody links to the program: the names of its functions for others are 3.5 MB that it does not need. It takes libraries
# from the system, and none from the folder that it is in.
# A generic type is made by a function that has its conformances, not by its name, for which each conformance would be
# looked for at the start, among all of the program's.
STATIC := $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib -Xlinker --no-export-dynamic --disable-local-rpath) \
  $(foreach flag,-Xfrontend -disable-concrete-type-metadata-mangled-name-accessors,-Xswiftc $(flag))

# CI=true turns warnings into errors (Package.swift). Whatever builds for the tests has it, so that there is one
# debug build; `make build CI=false` is for a compiler newer than ours.
build site screenshots: export CI := $(if $(CI),$(CI),true)

help:
	@sed -n 's/^#: //p' Makefile

run: release
	.build/release/apnsim serve $(ARGS)

check:
	scripts/suites lint pure

test: STATE_KILLS = 6
test:
	scripts/suites $(PARTS)

test-swift:
	scripts/suites pure served command-line

test-clients test-state test-recipes test-container test-page test-docs test-example:
	ALL=yes scripts/suites $(@:test-%=%)

docs-testing:
	ALL=yes scripts/suites docs-testing

nightly:
	$(MAKE) test-state
	$(MAKE) sanitize
	$(MAKE) soak SOAK_SECONDS=600
	$(MAKE) fuzz FUZZ_SECONDS=600
	$(MAKE) test-twice

# Every target imports what it uses, not what happens to be there through another one.
build: setup-build
	scripts/timed-build swift build --build-tests --explicit-target-dependency-import-check error

release: setup-build
	scripts/timed-build swift build -c release --product apnsim $(STATIC) $(if $(SCRATCH),--scratch-path $(SCRATCH))

# What the commands' pages say is what the built program says of itself.
site: build setup-docs
	$$(scripts/find-python markdown_it) scripts/site --program .build/debug/apnsim --to .build/site

screenshots: build setup-page
	.venv/bin/python Tests/Page/screenshots.py docs/page

# Instrumented builds live beside the others; the corpus is kept between runs and out of git. C that is built here is
# instrumented as well; the system's libraries, libyaml among them, are as they are.
fuzz: setup-build
	APNSIM_FUZZ=1 swift build -c release --product ParserFuzzer --scratch-path .build-fuzz \
	  -Xswiftc -sanitize=fuzzer,address -Xswiftc -parse-as-library -Xcc -fsanitize=address,fuzzer-no-link -Xlinker -lm
	@for target in $(FUZZ_TARGET); do echo "$$target"; Fuzz/run $$target $(FUZZ_SECONDS) || exit 1; done

soak: release
	python3 Tests/Soak/soak.py $(SOAK)

sanitize: setup-build
	scripts/sanitize $(SANITIZE)

bench: release
	python3 Benchmarks/bench.py $(BENCH)

# One target more than `make release` has, in the same folder and with the same flags: nothing is built twice.
count: setup-count
	APNSIM_COUNT=1 swift build -c release --product Counts $(STATIC) $(if $(SCRATCH),--scratch-path $(SCRATCH))
	scripts/count $(if $(SCRATCH),--program $(SCRATCH)/release/Counts) $(if $(UPDATE),--update) $(if $(ROWS),--only '$(ROWS)')

count-program: release setup-count
	python3 Benchmarks/count_program.py $(if $(SCRATCH),--apnsim $(SCRATCH)/release/apnsim)

# Two programs are compared as they are; otherwise what is built is compared with fixtures/digest.txt.
digest: $(if $(PROGRAM),,build)
	scripts/digest $(if $(PROGRAM),--beside $(PROGRAM)) $(if $(UPDATE),--update)

# The tests that compare them write them.
faults: build
	UPDATE=yes FILTER='The catalogue of faults|The schema of scenarios' scripts/test-swift pure

man: release
	scripts/manual
	@echo "man .build/man/apnsim.1"

package: release setup-package
	scripts/package

# Not part of `make test` but for PARTS=ci: it wants the fast build, and a mirror of Debian.
test-package: package setup-docs
	Tests/Package/run

test-twice: setup-package
	scripts/package --twice

lint:
	swift format lint --strict --recursive --parallel $(SWIFT_FILES)
	scripts/floors && scripts/floors --self-test
	scripts/claims && scripts/claims --self-test
	scripts/budget $(if $(UPDATE),--update) && scripts/budget --self-test
	scripts/suites --self-test
	@! git grep -nE '^(@[a-z_]+ |public |package )*import Foundation' -- 'Sources/*.swift' || { echo 'Foundation doubles the size of the program: import FoundationEssentials where there is one, as Sources/apnsim/Terminal/JSONLine.swift does' >&2; exit 1; }
	@! git grep -nE '^ *internal import ' -- '*.swift' || { echo 'an import is internal unless it says otherwise: write "import"' >&2; exit 1; }
	@! git grep -nE '^(<{7}|>{7}) ' || { echo 'a merge left its marks: keep one side or both, and take the marks out' >&2; exit 1; }
	cd fixtures/captures/recorded && sha256sum --check --quiet SHA256SUMS
	cd fixtures/captures/otherwise && sha256sum --check --quiet SHA256SUMS

format:
	swift format --in-place --recursive --parallel $(SWIFT_FILES)

setup-count: setup-build
	@scripts/install-system-packages count

setup: setup-build setup-clients setup-recipes setup-page setup-docs

setup-build:
	@scripts/install-system-packages build

setup-clients:
	@scripts/install-system-packages clients
	@scripts/python-environment

# Where they cannot be installed, the recipes that need them are left out.
setup-recipes:
	-@scripts/install-system-packages recipes

setup-docs: setup-build
	@scripts/install-system-packages docs

setup-package: setup-build
	@scripts/install-system-packages package

setup-page: setup-clients
	@scripts/install-system-packages page

clean:
	rm -rf .build .build-kept .build-fuzz .build-tsan .build-asan .build-reproducible .venv
