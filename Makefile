# For people and programs that expect `make`: rating testers, OpenBench, packagers. Developers use cargo and `cargo xtask`.
#
#   make EXE=NAME          the engine for this machine's processor, as NAME
#   make CPU=baseline      for every processor of the architecture; also x86-64-v3, x86-64-v4 and other names of `rustc --print target-cpus`
#   make FEATURES=tune     with a UCI option for every search parameter
#   make pgo               builds twice, for a program about 1 % faster (needs python3 and `rustup component add llvm-tools`); also with the options above
#   make documents         the engine, the program of the page, manual pages, completions and licences, which the next one installs
#   sudo make install      these files under PREFIX (default /usr/local) in DESTDIR
#   make deb               a Debian package for every processor, in target/debian (needs cargo-deb)

EXE ?= tabiya
CPU ?= native
FEATURES ?=
PREFIX ?= /usr/local

# Older OpenBench clients pass CC=cargo, which would break build scripts that use a C compiler. With CARGO_BUILD_TARGET, the programs would lie
# in another folder.
unexport CC CXX CARGO_BUILD_TARGET

TARGET := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe)
OUTPUT := $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)
BUILT := $(TARGET)/release/tabiya$(SUFFIX)
WEB := $(TARGET)/release/tabiya-web$(SUFFIX)
DOCUMENTS := packaging/generated
SHARE := $(DESTDIR)$(PREFIX)/share

FLAGS = RUSTFLAGS="$(strip $(RUSTFLAGS) $(if $(filter baseline,$(CPU)),,-C target-cpu=$(CPU)))"
BUILD = $(FLAGS) cargo build --release --locked --target-dir "$(TARGET)"
ENGINE = --package tabiya $(if $(FEATURES),--features "$(FEATURES)")

.PHONY: all build pgo web documents install deb

all: build
	cp "$(BUILT)" "$(OUTPUT)"

build:
	$(BUILD) $(ENGINE)

# Profile-guided optimisation.
pgo:
	$(FLAGS) python3 packaging/pgo.py --target-dir "$(TARGET)" $(ENGINE)
	cp "$(BUILT)" "$(OUTPUT)"

# The program that `tabiya web` starts.
web:
	$(BUILD) --package tabiya-web

# Manual pages, completions and the licences of third-party code. The programs must run on this machine.
documents: build web
	python3 packaging/documents.py --program "$(BUILT)" --out "$(DOCUMENTS)"

# Builds nothing: root often has no cargo, and would own the files that it writes.
install:
	@test -x "$(BUILT)" && test -x "$(WEB)" && test -f "$(DOCUMENTS)/THIRD-PARTY.txt" || { echo 'nothing to install; run "make documents" first' >&2; exit 1; }
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install "$(BUILT)" "$(DESTDIR)$(PREFIX)/bin/tabiya"
	install "$(WEB)" "$(DESTDIR)$(PREFIX)/bin/tabiya-web"
	install -d "$(SHARE)/doc/tabiya" "$(SHARE)/man/man1" "$(SHARE)/bash-completion/completions" "$(SHARE)/zsh/site-functions" "$(SHARE)/fish/vendor_completions.d"
	install -m 644 LICENSE-MIT LICENSE-APACHE "$(DOCUMENTS)/THIRD-PARTY.txt" "$(SHARE)/doc/tabiya"
	install -m 644 "$(DOCUMENTS)"/man/*.1 "$(SHARE)/man/man1"
	install -m 644 "$(DOCUMENTS)/completions/tabiya.bash" "$(SHARE)/bash-completion/completions/tabiya"
	install -m 644 "$(DOCUMENTS)/completions/_tabiya" "$(SHARE)/zsh/site-functions"
	install -m 644 "$(DOCUMENTS)/completions/tabiya.fish" "$(SHARE)/fish/vendor_completions.d"

deb: CPU = baseline
deb: documents
	cargo deb --no-build --package tabiya
