import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openQuestions } from '@sluice/analytics/open-questions';
import { createService } from '@sluice/analytics/service';
import { AnalyticsServiceService } from '@sluice/protos/sluice/analytics/v1/analytics';
import { openDatabase } from '@sluice/read-model';
import { rpcClient, startRpcServer } from '@sluice/rpc';
import { createTelemetry } from '@sluice/telemetry';
import { type Measure, measured } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { showProgress } from '../program.ts';
import { withScratch } from '../scratch.ts';
import { rpcToken as token, startStores } from '../stores.ts';
import { factNow } from './fact-now.ts';
import { publishFacts } from './publish-facts.ts';
import { accountId } from './year-of-facts.ts';

const factsPerSecond = 500;
const tickMs = 20;
const lookMs = 10;
const warmUps = 5;
const retention = { factDays: 31, hourDays: 62, dayDays: 400 };
const deadlineMs = 60_000;
const statementTimeoutMs = 30_000;

/**
 * Measures how long a fact takes from the publisher to an answer: over the broker with its disk, the service,
 * PostgreSQL with its disk and a query by gRPC, while 500 facts come in a second.
 */
export async function visibleBench(seconds: number): Promise<readonly Measure[]> {
  return await withScratch('visible', async (scratch) => {
    await using stack = new AsyncDisposableStack();
    const { bus, client } = await startAnalytics(scratch, stack);
    const publish = (endUsers: readonly string[]) => publishFacts(bus, endUsers.map(factNow));
    const isVisible = async (externalUser: string) => {
      const { rowCount } = await client.query(questionOf(externalUser));
      return rowCount > 0n;
    };
    await untilItAnswers(() => isVisible('nobody'));
    return [await measure({ seconds, publish, isVisible })];
  });
}

/** Starts analytics with a broker and PostgreSQL. The stack stops them. */
async function startAnalytics(scratch: string, stack: AsyncDisposableStack) {
  const { postgres, bus, logger } = await startStores(scratch, stack);
  const database = openDatabase({ url: postgres.url, schema: 'analytics', connectionsMax: 10 });
  stack.defer(() => database.stop());
  const questions = openQuestions({ url: postgres.url, connectionsMax: 10, statementTimeoutMs });
  stack.defer(() => questions.stop());
  const telemetry = createTelemetry({ serviceName: 'bench', otlpEndpoint: undefined });
  stack.defer(() => telemetry.stop());
  const service = createService({
    bus,
    database,
    questions,
    retention,
    logger,
    telemetry,
    ledger: emptyLedger,
    files: noFiles,
    destinations: { listUsable: unused, openConfig: unused },
    egress: { send: unused },
  });
  await service.start();
  stack.defer(() => service.stop());
  const server = await startRpcServer({
    services: service.rpc,
    address: '127.0.0.1:0',
    token,
    onBug: (error) => showProgress(String(error)),
  });
  stack.defer(() => server.stop());
  const { address } = server;
  const client = rpcClient(AnalyticsServiceService, { address, token, deadlineMs });
  stack.defer(() => client.close());
  return { bus, client };
}

/** Waits for the first start of the service. */
async function untilItAnswers(ask: () => Promise<unknown>): Promise<void> {
  const untilMs = performance.now() + deadlineMs;
  while (performance.now() < untilMs)
    if (
      await ask().then(
        () => true,
        () => false,
      )
    )
      return;
    else await delay(lookMs);
  throw new Error('analytics does not answer');
}

interface Measuring {
  readonly seconds: number;
  readonly publish: (endUsers: readonly string[]) => Promise<void>;
  readonly isVisible: (externalUser: string) => Promise<boolean>;
}

async function measure({ seconds, publish, isVisible }: Measuring): Promise<Measure> {
  const over = new AbortController();
  const beganMs = performance.now();
  let published = 0;
  const load = (async () => {
    while (!over.signal.aborted) {
      const wanted = Math.floor(((performance.now() - beganMs) / 1_000) * factsPerSecond);
      const count = wanted - published;
      published = wanted;
      await publish(Array.from({ length: count }, () => ''));
      await delay(tickMs);
    }
  })();
  const times: number[] = [];
  for (let probe = 0; performance.now() - beganMs < seconds * 1_000; probe += 1) {
    const name = `probe-${randomUUID()}`;
    const sentMs = performance.now();
    await publish([name]);
    while (!(await isVisible(name))) await delay(lookMs);
    if (probe >= warmUps) times.push(performance.now() - sentMs);
    if (probe % 20 === 0)
      showProgress(`${probe} probes among ${published.toLocaleString('en')} facts`);
  }
  over.abort();
  await load;
  const perSecond = Math.round((published * 1_000) / (performance.now() - beganMs));
  const name = 'usage to answer, p99, from the publisher over the bus';
  return measured(name, percentile(times, 0.99), 'ms', {
    atMost: 2_000,
    note: `${times.length} probes among ${perSecond} facts/s; p50 ${Math.round(percentile(times, 0.5))} ms`,
  });
}

const questionOf = (externalUser: string) => ({
  accountId,
  metrics: ['request_count'],
  dimensions: [],
  granularity: undefined,
  timeRange: undefined,
  orderBy: undefined,
  limit: undefined,
  groupLimit: undefined,
  asOf: undefined,
  filters: [
    {
      field: 'external_user',
      operator: 'eq',
      values: [externalUser],
      isList: false,
      includeUnset: undefined,
    },
  ],
});

/** A ledger that has counted nothing: the bus brings all. */
const emptyLedger = {
  readFacts: async () => ({ facts: [], next: '', isLast: true }),
  listCountedNames: async () => ({ names: [], next: '', isLast: true }),
  listActivity: async () => ({ rows: [], isLast: true }),
};

const unused = async () => {
  throw new Error('the bench makes no export');
};
const noFiles = { uploadFile: unused, getFile: unused };
