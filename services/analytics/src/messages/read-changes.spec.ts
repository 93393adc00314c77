import { deepEqual, equal } from 'node:assert/strict';
import { type UsageFact, withRepeats, writeCorrection, writeFact } from '@sluice/usage-facts';
import { aFact, aFailure, aRepeat, aRepeatedFact } from '@sluice/usage-facts/testing';
import { describe, test } from 'vitest';
import {
  readCorrected,
  readDetection,
  readFailure,
  readName,
  readRefusal,
  readUsage,
} from './read-changes.ts';

const message = (data: unknown, subject = 'usage.v1.recorded.acct_1') => ({
  subject,
  id: 'm1',
  data,
  bytes: Buffer.from(''),
  redelivered: false,
});
const bundle = (...facts: readonly unknown[]) => message({ facts });
const at = '2026-11-18T12:00:00.000Z';

describe('a bundle of usage', () => {
  test('has a row for each fact that the ledger counts for the account', () => {
    const good = writeFact(aFact());
    const { rows, unreadable } = readUsage(
      bundle(
        good,
        writeFact(aFailure()),
        { ...good, isByok: 'false' },
        { ...good, costNanoUsd: '-1' },
        { ...good, costNanoUsd: 'much' },
        { ...good, accountId: 'acct_2' },
        null,
        7,
      ),
      0,
    );
    deepEqual([rows.length, unreadable], [1, 6]);
  });

  test('has the row of each answer that was repeated', () => {
    const labels = { externalUser: 'a\0b', sessionId: 's' };
    const repeats = [aRepeat({ startedAt: '2026-11-19T00:00:00.000Z', ...labels }), aRepeat()];
    const facts = [aRepeatedFact({ repeats }), aFact(), aRepeatedFact({ repeats: [aRepeat()] })];
    const { rows, unreadable } = readUsage(bundle(...facts.map(writeFact)), 0);
    const alone = readUsage(bundle(...facts.flatMap(withRepeats).map(writeFact)), 0);
    deepEqual([rows.length, unreadable], [6, 0]);
    deepEqual(rows, alone.rows);
    deepEqual(
      rows.map(({ amounts }) => amounts.repeated_responses),
      [1n, 1n, 1n, 0n, 1n, 1n],
    );
  });

  test('of too many repeats has none', () => {
    const repeats = Array.from({ length: 50 }, () => aRepeat());
    const data = bundle(writeFact(aRepeatedFact({ repeats })));
    deepEqual(readUsage(data, 0), { rows: [], unreadable: 1 });
  });

  test.each([undefined, null, 5, [], {}, { facts: {} }, { facts: Array.from({ length: 51 }) }])(
    'that is %j has none',
    (data) => deepEqual(readUsage(message(data), 0), { rows: [], unreadable: 1 }),
  );
});

test('a correction has the values that replace those of the fact', () => {
  const fact: UsageFact = aFact({ costNanoUsd: 400n, upstreamCostNanoUsd: 400n });
  const correction = {
    correctionId: `${fact.usageId}/provider`,
    source: 'provider',
    fact,
    estimatedInputTokens: 1n,
    estimatedCachedTokens: 0n,
    estimatedOutputTokens: 1n,
    estimatedReasoningTokens: 0n,
    estimatedCostNanoUsd: 900n,
    estimatedUpstreamCostNanoUsd: 900n,
    absorbedNanoUsd: 0n,
    correctedAt: at,
  };
  const data = writeCorrection(correction);
  const { rows } = readCorrected(message(data, 'usage.v1.corrected.acct_1'));
  deepEqual([rows[0]?.revision, rows[0]?.amounts.service_nano_usd], [2, 400n]);
  equal(readCorrected(message('x')).rows.length, 0);
});

describe('requests without usage', () => {
  const places = { accountId: 'acct_1', workspaceId: 'ws_1', keyHash: 'key1' };

  test('that failed count those that were not published, too', () => {
    const data = { ...places, generationId: 'gen-1', model: 'm', admittedAt: at, omitted: '2' };
    const { rows } = readFailure(message(data), 0);
    deepEqual(
      [rows[0]?.amounts.failed_requests, rows[0]?.amounts.requests, rows[0]?.factId],
      [3n, 0n, 'failed/gen-1'],
    );
  });

  test('that were refused are counted by their number', () => {
    const data = { ...places, refusalId: 'r1', count: '7', lastAt: at };
    deepEqual(readRefusal(message(data), 0).rows[0]?.amounts.refused_requests, 7n);
  });

  test('that guardrails blocked are detections; others are in the usage', () => {
    const data = { ...places, detectionId: 'd1', detectedAt: at };
    const { rows } = readDetection(message({ ...data, blocked: true }), 0);
    deepEqual([rows[0]?.amounts.guardrail_requests, rows[0]?.amounts.blocked_requests], [1n, 1n]);
    deepEqual(readDetection(message(data), 0), { rows: [], unreadable: 0 });
  });

  test('of no instant or no account are unreadable', () => {
    for (const read of [readFailure, readRefusal, readDetection])
      for (const data of [{}, null, { ...places }, { admittedAt: at, lastAt: at, detectedAt: at }])
        equal(read(message(data), 0).unreadable, 1);
  });
});

test('a name is that of an entity of an account, at an instant', () => {
  const named = { accountId: 'acct_1', kind: 'key', entityId: 'k', name: 'a\0b', occurredAt: at };
  deepEqual(readName(message({ ...named, email: 'x@example.com' })), {
    accountId: 'acct_1',
    kind: 'key',
    entityId: 'k',
    name: 'ab',
    email: '',
    namedAt: at,
  });
  for (const data of [{}, { ...named, occurredAt: '' }, { ...named, accountId: "a'b" }, null])
    equal(readName(message(data)), undefined);
});
