import { equal, match, ok } from 'node:assert/strict';
import { usageStream } from '@sluice/bus';
import { testDatabase } from '@sluice/read-model/testing';
import { createTelemetry } from '@sluice/telemetry';
import { aFact } from '@sluice/usage-facts/testing';
import { inject, onTestFinished, test } from 'vitest';
import { writePart } from '../domain/part-text.ts';
import { DestinationCounts } from '../delivery/destination-counts.ts';
import { observerSchema } from '../schema.ts';
import { appendParts, beginLog } from '../store/append.ts';
import { setActive } from '../store/deliveries.ts';
import type { LogBounds } from '../store/retain.ts';
import { readStatus } from '../store/status.ts';
import { retainOnce } from './retain.ts';

const accountId = 'acct_1';
const destinationId = 'destination-1';

/** A log whose clock is set, which is tidied in rounds. */
async function tidied(bounds: Partial<LogBounds> = {}) {
  const { migrations } = observerSchema;
  const database = await testDatabase({ url: inject('postgresUrl'), migrations });
  onTestFinished(() => database.drop());
  const telemetry = createTelemetry({ serviceName: 'observer', otlpEndpoint: undefined });
  onTestFinished(() => telemetry.stop());
  let nowMs = Date.parse('2026-11-27T10:00:00Z');
  const clock = { now: () => new Date(nowMs) };
  const errors: string[] = [];
  await beginLog(database);
  const round = () =>
    retainOnce({
      bus: { placeOf: async () => undefined },
      database,
      counts: new DestinationCounts(telemetry.metrics),
      bounds: { ageMsMax: 1e9, workspaceBytesMax: 1e9, bytesMax: 1e9, ...bounds },
      clock,
      logger: {
        debug: () => {},
        info: () => {},
        warn: () => {},
        error: (message) => void errors.push(message),
      },
      metrics: telemetry.metrics,
      onFinished: () => {},
      signal: new AbortController().signal,
    });
  const pass = (ms: number) => void (nowMs += ms);
  return { database, telemetry, clock, errors, round, pass };
}

test('an absence that is longer than the bus keeps messages is counted, and shown by each destination', async () => {
  const { database, telemetry, clock, errors, round, pass } = await tidied();
  const known = [{ destinationId, accountId, workspaceId: 'ws_1' }];
  await database.transaction((transaction) =>
    setActive(transaction, known, { accountId: undefined, now: clock.now() }),
  );
  const lostAt = async () =>
    (await readStatus(database.forAccount(accountId), destinationId, clock.now()))?.lastLostAt;
  await round();
  pass(usageStream.ageMsMax - 1_000);
  await round();
  equal(await lostAt(), null);
  pass(usageStream.ageMsMax);
  await round();
  ok(await lostAt());
  equal(errors.filter((one) => one.includes('keeps generations')).length, 1);
  match(await telemetry.prometheus(), /observer_gaps_total\{[^}]*of="generations"[^}]*\} 1/);
  await round();
  equal(errors.filter((one) => one.includes('keeps generations')).length, 1);
});

test.each([
  ['a loop of tools whose end does not come', { finishReason: 'tool-calls', hasEnd: true }, 120],
  ['an answer whose end is lost', { hasEnd: true }, 20],
] as const)('%s is delivered after the wait that is set', async (_what, given, seconds) => {
  const { database, clock, round, pass } = await tidied({ endWaitMs: seconds * 1_000 });
  const fact = aFact({ accountId, usageId: 'gen-1/1/1', ...given });
  const { generationId, workspaceId } = fact;
  const part = { kind: 'fact', fact } as const;
  const place = { accountId, workspaceId, generationId, name: fact.usageId };
  const received = [{ ...place, part, body: writePart(part), contents: null }];
  await database.transaction((transaction) => appendParts(transaction, received, clock.now()));
  const count = async () =>
    (await database.query({ text: 'SELECT FROM generations', values: [] })).length;
  pass((seconds - 1) * 1_000);
  await round();
  equal(await count(), 0);
  pass(1_001);
  await round();
  equal(await count(), 1);
});
