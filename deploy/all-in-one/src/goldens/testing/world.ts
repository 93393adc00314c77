import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemoryBus } from '@sluice/bus';
import { listeningGateway } from '@sluice/gateway/testing';
import type { InferencePort } from '@sluice/inference-port';
import { KeyKind } from '@sluice/protos/sluice/key/v1/key';
import { openService } from '@sluice/routing/service';
import {
  inMemoryAccounts,
  type InMemoryAccounts,
  inMemoryCredentials,
  type InMemoryCredentials,
  inMemoryLedger,
  type InMemoryLedger,
  inMemoryPolicies,
  type InMemoryPolicies,
  inMemorySandbox,
} from '@sluice/routing/testing';
import type { Clock, Ids } from '@sluice/clock-and-ids';
import { inMemoryFiles } from '@sluice/workspace-files/testing';
import { createLogger } from '@sluice/logging';
import { createTelemetry } from '@sluice/telemetry';
import { readFact, withRepeats, writeFact } from '@sluice/usage-facts';
import type { Case } from './case.ts';
import { catalogOf, idOf } from './catalog.ts';
import { startUpstream, type Upstream } from './upstream.ts';

/** The parts that differ from a world in which everything is well. */
export interface WorldOptions {
  readonly creditsNanoUsd?: bigint;
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: Parameters<typeof openService>[0]['limits'];
  readonly settings?: Parameters<typeof listeningGateway>[0]['settings'];
  prepare?(doubles: Doubles): void;
}

export interface Doubles {
  readonly ledger: InMemoryLedger;
  readonly policies: InMemoryPolicies;
  readonly credentials: InMemoryCredentials;
  readonly accounts: InMemoryAccounts;
}

/** Gateway and routing as one process has them, between clients and providers on this machine. */
export interface World extends Doubles {
  readonly url: string;
  readonly upstream: Upstream;
  /** Each fact that went out on the bus, with its subject. */
  readonly facts: readonly Fact[];
  /** Replaces what `normalized` cannot know. */
  readonly secrets: Readonly<Record<string, string>>;
  keyOf(one: Case): string;
  /** Resolves when Sluice notices that the client of the next request has left. */
  nextLeft(): Promise<void>;
  stop(): Promise<void>;
}

export interface Fact {
  readonly subject: string;
  readonly fact: Readonly<Record<string, unknown>>;
}

const clock: Clock = { now: () => new Date('2026-11-20T12:00:00.000Z') };
const accountId = 'org_1';
const dollarNanoUsd = 1_000_000_000n;
const rates = { inferenceRequestsPerMinute: 1_000_000, authFailuresPerMinute: 1_000 };

export async function startWorld(cases: readonly Case[], options: WorldOptions): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'goldens-'));
  const upstream = await startUpstream(join(folder, 'receipts.jsonl'));
  const catalogFile = join(folder, 'catalog.json');
  await writeFile(catalogFile, JSON.stringify(catalogOf(cases, upstream)));
  let made = 0;
  const ids: Ids = {
    next: () => `00000000-0000-7000-8000-${String(++made).padStart(12, '0')}`,
  };
  const bus = inMemoryBus();
  const facts: Fact[] = [];
  const doubles: Doubles = {
    ledger: inMemoryLedger(options.creditsNanoUsd ?? 100n * dollarNanoUsd),
    policies: inMemoryPolicies(),
    credentials: inMemoryCredentials(),
    accounts: inMemoryAccounts(),
  };
  const ending = new AbortController();
  const consumed = doubles.ledger.consume(bus, ending.signal);
  const telemetry = createTelemetry({ serviceName: 'goldens', otlpEndpoint: undefined });
  const routing = await openService({
    ...doubles,
    env: { ...options.env, SLUICE_CATALOG: catalogFile, GOLDENS_KEY: 'upstream-key' },
    directory: join(folder, 'routing'),
    files: inMemoryFiles(clock),
    sandbox: inMemorySandbox(),
    bus: {
      ...bus,
      async publishFact(subject, id, message) {
        const stored = await bus.publishFact(subject, id, message);
        facts.push(...factsOf(subject, message));
        return stored;
      },
    },
    clock,
    ids,
    logger: createLogger({ service: 'goldens', level: 'silent' }),
    telemetry,
    random: () => 0.5,
    ...(options.limits && { limits: options.limits }),
    onFatal: () => {},
  });
  await routing.start();
  let noticed = () => {};
  const createResponse: InferencePort['createResponse'] = (call) => {
    call.signal.addEventListener('abort', noticed);
    return routing.inference.createResponse(call);
  };
  const settings = { ...rates, ...options.settings };
  const gateway = await listeningGateway({ createResponse, settings, clock, ids });
  const secrets: Record<string, string> = {};
  options.prepare?.(doubles);
  return {
    ...doubles,
    upstream,
    facts,
    secrets,
    url: `http://127.0.0.1:${String(gateway.port)}`,
    keyOf({ key: { isManagement = false, ...key } = {}, guardrail }) {
      const kind = isManagement ? KeyKind.KEY_KIND_MANAGEMENT : KeyKind.KEY_KIND_REGULAR;
      const made = gateway.keys.add({ ...key, kind, accountId });
      secrets[made.key.hash] = '<key hash>';
      if (guardrail)
        doubles.policies.assigned.set(`key ${made.key.hash}`, {
          id: '01890000-0000-7000-8000-000000000000',
          ...guardrail,
        });
      return made.secret;
    },
    nextLeft: () =>
      new Promise((resolve) => {
        noticed = resolve;
      }),
    async stop() {
      await gateway.service.stop();
      await routing.stop();
      ending.abort();
      await consumed;
      await bus.stop();
      await gateway.bus.stop();
      await telemetry.stop();
      await upstream.stop();
      await rm(folder, { recursive: true });
    },
  };
}

export { idOf };

/** A bundle has many facts; others are one. */
function factsOf(subject: string, message: unknown): readonly Fact[] {
  const text =
    message instanceof Uint8Array ? Buffer.from(message).toString() : JSON.stringify(message);
  const fact = JSON.parse(text) as Fact['fact'];
  const all = Array.isArray(fact['facts']) ? (fact['facts'] as Fact['fact'][]) : [fact];
  return all.flatMap(each).map((one) => ({ subject, fact: one }));
}

/** A fact may stand for repeated answers, too. */
function each(fact: Fact['fact']): readonly Fact['fact'][] {
  if (fact['repeats'] === undefined) return [fact];
  return withRepeats(readFact(fact)).map((one) => writeFact(one) as Fact['fact']);
}
