.DEFAULT_GOAL := help
INSTALLED := node_modules/.package-lock.json
GENERATED := libs/protos/src/gen/sluice/context/v1/context.ts

.PHONY: help install install-gvisor start services compose test sim chaos chaos-eventstore chaos-outages chaos-store-away chaos-powercut chaos-destinations test-crash test-powercut test-fuzz test-faults test-containers test-clickhouse bench bench-guard bench-profile bench-sustained bench-overload bench-streams bench-vectors bench-scale bench-eventstore bench-management bench-spool bench-fetch bench-sandbox bench-tools bench-plugins bench-filters bench-analytics bench-destinations eval-filters agents replay check docs fix clean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; do printf '  make %-16s %s\n' "$$name" "$$text"; done

install: $(INSTALLED) $(GENERATED) ## install what is missing: npm packages, generated code, nats-server, bubblewrap
	@node_modules/.bin/node libs/embedded/src/nats/main.ts >/dev/null
	@node_modules/.bin/node libs/embedded/src/bubblewrap/main.ts

install-gvisor: install ## fetch gVisor for the sandbox, from Debian's packages
	@node_modules/.bin/node libs/embedded/src/gvisor/main.ts

start: install ## run everything in one process and print a key and a curl line
	@npm run --silent start

services: install ## run each service as a process of its own, supervised
	@npm run --silent start:services

compose: ## run the services as containers on EventStoreDB, NATS and PostgreSQL
	@docker compose version >/dev/null 2>&1 || { echo 'Docker with the compose plugin is missing: install it, or use make start.' >&2; exit 1; }
	@deploy/compose/make-secrets
	docker compose up --build --detach --wait && docker compose run --rm bootstrap

test: install ## run every check and every test; the last line counts them
	@npm run --silent test

sim: install ## simulate kills, power cuts and a bad network on a virtual clock, SEEDS=200 or SEED=7, and audit the books
	@npm run --silent sim

chaos: install ## kill parts at random under traffic, KILLS=200 RPS=300 SEED=1, and compare the books with the provider's
	@npm run --silent chaos

chaos-eventstore: install ## let the event store fail in each way, SEED=1 ROUNDS=1 FAULTS='killed,frozen', under commands and requests; ESDB_URL takes a server of yours
	@npm run --silent chaos:eventstore

chaos-outages: install ## take the ledger, PostgreSQL and NATS away in turn, OUTAGE_SECONDS=30 SEED=1, on a bad network, and compare the books
	@npm run --silent chaos:outages

chaos-store-away: install ## take a store away for AWAY_SECONDS=600, HOW=frozen, killed, postgres-frozen or postgres-killed, RPS=30, and count what fails meanwhile
	@npm run --silent chaos:store-away

chaos-powercut: install ## cut the power of the disk under everything while requests come, CUTS=10 RPS=100 DURABILITY=overlap, as root, and compare the books
	@npm run --silent chaos:powercut

chaos-destinations: install ## kill the observer, NATS and the receiver in turn, GENERATIONS=10000 KILLS=30 SEED=1, and compare what each destination got
	@npm run --silent chaos:destinations

test-crash: install ## kill parts at random while commands run, KILLS=50 SEED=1, and count what came of it
	@npm run --silent test:crash

test-powercut: install ## cut the power of the event store's disk, CUTS=20 SEED=1, as root, and count what was lost
	@npm run --silent test:powercut

test-fuzz: install ## send mutated bodies through routing, BODIES=100000 SEED=1; none may break anything, and each comes from its seed alone
	@npm run --silent test:fuzz

test-faults: install ## one of three endpoints fails in each way for SECONDS=60 at RPS=100: who is answered, how soon it is left alone, how often it is tried again; then each kind of answer is cut, failed and stalled, and each receipt has its fact
	@SLUICE_FAULT_SECONDS=$(or $(SECONDS),60) SLUICE_FAULT_RPS=$(or $(RPS),100) npm run --silent test:faults

test-containers: install ## run the suites of the stores on the real images of EventStoreDB, NATS and PostgreSQL; needs Docker
	@npm run --silent test:containers

test-clickhouse: install ## run what needs ClickHouse, of analytics and of the destination: as a library, fetched once (543 MB), or at CLICKHOUSE_URL, and its CLICKHOUSE_CLUSTER
	@npm run --silent test:clickhouse

bench: install ## compare with no gateway, a bare proxy and Portkey in one run, 17 min; QUICK=1 5 min; SVG=FILE draws it
	@npm run --silent bench

bench-guard: install ## fail when Sluice has become slower beside the bare proxy than it may, or a door than /responses, 7 min
	@npm run --silent bench:guard

bench-profile: install ## what a request costs the processor, piece by piece, 1 min; STREAMING=1
	@npm run --silent bench:profile

bench-sustained: install ## find the highest rate that holds for SECONDS=300 with exact books, and what it costs, 21 min; SECONDS=60 7 min; SUBJECT=sluice, sluice-two or floor; STARVE=1 starves the books, 3 min; the last line is JSON
	@npm run --silent bench:sustained

bench-eventstore: install ## measure the embedded event store beside the raw speed of its disk, EVENTS=1000000
	@npm run --silent bench:eventstore

bench-management: install ## measure reading and changing keys over HTTP where an account has KEYS=10000
	@npm run --silent bench:management

bench-overload: install ## offer three times as much as can be served for SECONDS=60, SUBJECT=sluice, sluice-two or floor, STREAMING=1 for streams, OFFERED=12000 requests a second instead; the last line is JSON
	@SECONDS=$(or $(SECONDS),60) npm run --silent bench:overload

bench-streams: install ## keep STREAMS=1000 live with clients that read slowly for SECONDS=20, SUBJECT=sluice or sluice-two
	@STREAMS=$(or $(STREAMS),1000) SECONDS=$(or $(SECONDS),20) npm run --silent bench:streams

bench-vectors: install ## ask for 2,048 vectors of 3,072 numbers: how long the event loop is blocked, 1 min
	@npm run --silent bench:vectors

bench-scale: install ## measure an account with 10,000 keys, ten times as many, and so on up to KEYS=100000, and 10,000 guardrails
	@KEYS=$(or $(KEYS),100000) npm run --silent bench:scale

bench-spool: install ## measure the usage spool beside the raw speed of its disk, and the bus that takes what is in it
	@npm run --silent bench:spool

bench-fetch: install ## fetch a page of 200 KB, ROUNDS=150 times: processor time of the extraction, ticks of the event loop, 1 min
	@npm run --silent bench:fetch

bench-sandbox: install ## measure how soon a first command of a new container has ended: medians of 50
	@npm run --silent bench:sandbox

bench-tools: install ## measure loops of server tools beside the same requests without one, and plain requests beside 50 loops, 4 min; LOOPS=600
	@LOOPS=$(or $(LOOPS),600) npm run --silent bench:tools

bench-plugins: install ## measure healing, compression, the classifier, and a hit of the response cache beside a miss, 4 min; the last line is JSON
	@npm run --silent bench:plugins

bench-analytics: install ## measure the store of analytics with a year of ROWS=200000 facts: rate, disk, questions, slopes; the last line is JSON
	@npm run --silent bench:analytics

bench-destinations: install ## send RATE=1000 generations a second to three destinations for SECONDS=30: lag, and processor time of the observer; the last line is JSON
	@SECONDS=$(or $(SECONDS),30) npm run --silent bench:destinations

bench-ledger: install ## count FACTS=100000 facts in an empty ledger and beside ROWS=1000000 of a year: processor time, log, disk, questions; the last line is JSON
	@npm run --silent bench:ledger

bench-filters: install ## measure the content filters: ordinary, custom and hostile texts, 1 min; NEIGHBOUR=1 beside a slow account
	@npm run --silent bench:filters

eval-filters: install ## measure what the content filters find and miss; CORPUS=file takes JSONL of {text, spans}, BLIND=1 counts on texts of a stranger
	@npm run --silent eval:filters

agents: install ## let Codex, Claude Code, opencode, Qwen Code and Cline do a job on each dialect, ROUNDS=2 ONLY=codex DIALECTS=openai-chat
	@npm run --silent agents

replay: install ## serve the recorded answers in DIR=folder as a provider and compare what comes out of each door
	@npm run --silent replay

check: install ## format, lint, types and protos, without tests
	@npm run --silent lint && npm run --silent types && npm run --silent protos

docs: install ## write docs/events.md, docs/asyncapi.yaml and the API commands of sluice from the sources
	@npm run --silent docs

fix: install ## correct what format and lint can correct
	@npm run --silent fix

clean: ## remove what was installed, generated and cached; data stays
	rm -rf node_modules libs/protos/src/gen .cache coverage

# npm 10 drops the link to Node when it leaves out the Node of the other platform; no script runs in a rebuild either.
$(INSTALLED): package-lock.json .npmrc
	@command -v npm >/dev/null || { echo 'npm is missing: install Node.js 20 or newer.' >&2; exit 1; }
	npm ci
	@test -x node_modules/.bin/node || npm rebuild
	@touch $@

# buf leaves a file alone that would stay the same: without touch it would be generated at each start.
$(GENERATED): $(INSTALLED) buf.gen.yaml $(shell find protos -name '*.proto')
	@npm run --silent gen && touch $@
