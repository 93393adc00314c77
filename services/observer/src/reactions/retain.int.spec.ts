import { equal, match, ok } from 'node:assert/strict';
import { usageStream } from '@sluice/bus';
import { testDatabase } from '@sluice/read-model/testing';
import { createTelemetry } from '@sluice/telemetry';
import { inject, onTestFinished, test } from 'vitest';
import { DestinationCounts } from '../delivery/destination-counts.ts';
import { observerSchema } from '../schema.ts';
import { beginLog } from '../store/append.ts';
import { setActive } from '../store/deliveries.ts';
import { readStatus } from '../store/status.ts';
import { retainOnce } from './retain.ts';

const accountId = 'acct_1';
const destinationId = 'destination-1';

test('an absence that is longer than the bus keeps messages is counted, and shown by each destination', async () => {
  const { migrations } = observerSchema;
  const database = await testDatabase({ url: inject('postgresUrl'), migrations });
  onTestFinished(() => database.drop());
  const telemetry = createTelemetry({ serviceName: 'observer', otlpEndpoint: undefined });
  onTestFinished(() => telemetry.stop());
  let nowMs = Date.parse('2026-11-27T10:00:00Z');
  const clock = { now: () => new Date(nowMs) };
  const errors: string[] = [];
  await beginLog(database);
  const known = [{ destinationId, accountId, workspaceId: 'ws_1' }];
  await database.transaction((transaction) =>
    setActive(transaction, known, { accountId: undefined, now: clock.now() }),
  );
  const round = () =>
    retainOnce({
      database,
      counts: new DestinationCounts(telemetry.metrics),
      bounds: { ageMsMax: 1e9, workspaceBytesMax: 1e9, bytesMax: 1e9 },
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
  const lostAt = async () =>
    (await readStatus(database.forAccount(accountId), destinationId, clock.now()))?.lastLostAt;
  await round();
  nowMs += usageStream.ageMsMax - 1_000;
  await round();
  equal(await lostAt(), null);
  nowMs += usageStream.ageMsMax;
  await round();
  ok(await lostAt());
  equal(errors.filter((one) => one.includes('keeps generations')).length, 1);
  match(await telemetry.prometheus(), /observer_gaps_total\{[^}]*of="generations"[^}]*\} 1/);
  await round();
  equal(errors.filter((one) => one.includes('keeps generations')).length, 1);
});
