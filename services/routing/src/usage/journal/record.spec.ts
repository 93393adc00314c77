import { deepEqual, equal, throws } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { decodeEntry, encodeEntry, factBytes, type SpoolEntry } from './record.ts';

const text = fc.string({ maxLength: 30 });
const amount = fc.bigInt({ min: 0n, max: 10n ** 18n });
const count = fc.nat();
const plain = { noNullPrototype: true };

const entries: fc.Arbitrary<SpoolEntry> = fc.oneof(
  fc.record(
    {
      type: fc.constant('intent'),
      intent: fc.record(
        {
          usageId: text,
          generationId: text,
          requestId: text,
          accountId: text,
          workspaceId: text,
          keyHash: text,
          model: text,
          provider: text,
          admittedAt: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
          streamed: fc.boolean(),
          inputTokens: count,
          prices: fc.record(
            {
              inputTokenAttoUsd: amount,
              cachedTokenAttoUsd: amount,
              outputTokenAttoUsd: amount,
              requestAttoUsd: amount,
            },
            plain,
          ),
          holdNanoUsd: amount,
          leaseEpoch: amount,
          leaseNumbers: fc.array(amount, { maxLength: 4 }),
          freeRequestLeaseNumbers: fc.array(amount, { minLength: 1, maxLength: 2 }),
          guardrailScopes: fc.array(text, { maxLength: 3 }),
          isPrivate: fc.constant(true as const),
          dataDiscountBasisPoints: count,
          labels: fc.record(
            {
              endpointId: text,
              userId: text,
              externalUser: text,
              sessionId: text,
              httpReferer: text,
              userAgent: text,
            },
            plain,
          ),
        },
        plain,
      ),
    },
    plain,
  ),
  fc.record(
    {
      type: fc.constant('progress'),
      usageId: text,
      progress: fc.record({ outputTokens: count, reasoningTokens: count }, plain),
    },
    plain,
  ),
  fc.record({ type: fc.constant('released'), usageId: text }, plain),
  fc.record(
    {
      type: fc.constant('final'),
      fact: fc
        .record({ usageId: text, costNanoUsd: amount, sequence: amount, streamed: fc.boolean() })
        .map((some) => UsageRecorded.fromPartial(some)),
    },
    plain,
  ),
);

const finals = entries.filter((entry) => entry.type === 'final');

describe('a record of the spool', () => {
  test('of a fact holds it as the bus carries it', () => {
    fc.assert(
      fc.property(finals, (entry) => {
        const json = factBytes(encodeEntry(entry));
        deepEqual(UsageRecorded.fromJSON(JSON.parse(Buffer.from(json).toString())), entry.fact);
      }),
    );
  });

  test('comes back as it was written', () => {
    fc.assert(fc.property(entries, (entry) => deepEqual(decodeEntry(encodeEntry(entry)), entry)));
  });

  test('of another version or kind is not guessed at', () => {
    const bytes = (record: object) => Buffer.from(JSON.stringify(record));
    throws(() => decodeEntry(bytes({ v: 2, type: 'released', usageId: 'u' })), /version 2/);
    throws(() => decodeEntry(bytes({ v: 1, type: 'rumour' })), /rumour/);
    throws(() => decodeEntry(Buffer.from('{')));
  });

  test('of today can be read for ever', () => {
    const released = '{"v":1,"type":"released","usageId":"gen-1/1/1"}';
    deepEqual(decodeEntry(Buffer.from(released)), { type: 'released', usageId: 'gen-1/1/1' });
    equal(Buffer.from(encodeEntry(decodeEntry(Buffer.from(released)))).toString(), released);
    const intent =
      '{"v":1,"type":"intent","intent":{"usageId":"gen-1/1/1","generationId":"gen-1",' +
      '"requestId":"req-1","accountId":"a","workspaceId":"w","keyHash":"k","model":"sim/echo",' +
      '"provider":"simulator","admittedAt":"2026-11-20T12:00:00.000Z","streamed":true,' +
      '"inputTokens":3,"prices":{"inputTokenAttoUsd":"1","cachedTokenAttoUsd":"2",' +
      '"outputTokenAttoUsd":"3","requestAttoUsd":"0"}}}';
    const entry = decodeEntry(Buffer.from(intent));
    equal(entry.type === 'intent' && entry.intent.prices.outputTokenAttoUsd, 3n);
  });

  test('of a fact that an earlier release wrote is read to the last digit and written the same', () => {
    const bytes = readFileSync(new URL('./fixtures/final-v1.json', import.meta.url));
    const entry = decodeEntry(bytes);
    equal(entry.type === 'final' && entry.fact.holdNanoUsd, 9_007_199_254_740_993n);
    equal(entry.type === 'final' && entry.fact.leaseNumbers[1], 9_007_199_254_740_993n);
    equal(Buffer.from(encodeEntry(entry)).toString(), bytes.toString());
  });
});
