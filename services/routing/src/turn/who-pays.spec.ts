import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Fault } from '@sluice/errors';
import type { StreamPart, TokenUsage } from '@sluice/inference';
import { describe, test } from 'vitest';
import { chargeOf } from '../usage/journal/charge.ts';
import { interrupted, type Outcome } from '../usage/journal/outcome.ts';
import type { Intent } from '../usage/journal/record.ts';
import { CallRecord } from './call-record.ts';
import { Meter } from './meter.ts';
import { endOfFailed } from './settle-failed.ts';

const page = new URL('../../../../docs/billing.md', import.meta.url);
const at = new Date(0);
const intent: Intent = {
  usageId: 'gen-1/1/1',
  generationId: 'gen-1',
  requestId: 'req-1',
  accountId: 'a',
  workspaceId: 'w',
  keyHash: 'k',
  model: 'sim/echo',
  provider: 'simulator',
  admittedAt: at,
  streamed: true,
  inputTokens: 9,
  prices: {
    inputTokenAttoUsd: 50_000_000_000n,
    cachedTokenAttoUsd: 0n,
    outputTokenAttoUsd: 100_000_000_000n,
    requestAttoUsd: 0n,
  },
  holdNanoUsd: 3_000n,
  leaseEpoch: 1n,
  leaseNumbers: [],
};
/** Each amount is another one, so that it names what it is of. */
const words = new Map([
  [0n, 'nothing'],
  [450n, 'the input'],
  [850n, 'what was seen'],
  [1_000n, 'the counts'],
  [3_000n, 'the hold'],
]);

const counts: TokenUsage = {
  inputTokens: 10,
  cachedTokens: 0,
  outputTokens: 5,
  reasoningTokens: 0,
};
const head: StreamPart = { type: 'response-start', upstreamId: 'up-1' };
const output: readonly StreamPart[] = [
  head,
  { type: 'text-start', part: 0 },
  { type: 'text-delta', part: 0, delta: 'sixteen letters.' },
];
const finish = (usage: TokenUsage | undefined): StreamPart => ({
  type: 'finish',
  reason: 'stop',
  nativeReason: undefined,
  usage,
});
const error = (usage?: TokenUsage, providerCode?: string): StreamPart => ({
  type: 'error',
  code: 'provider_unavailable',
  message: 'broke',
  providerCode,
  usage,
});

/** After the first output: what the relay has read. */
function read(parts: readonly StreamPart[], isClientGone = false): Outcome {
  const meter = new Meter({ inputTokens: 9, contextLength: 100 });
  for (const part of parts) meter.add(part);
  return meter.outcome(at, { isClientGone });
}

type Reach = 'unsent' | 'sent' | 'refused' | 'answered';

/** Before it; undefined: no row is written. */
function failed(
  reach: Reach,
  {
    parts = [],
    isClientGone = false,
  }: { readonly parts?: readonly StreamPart[]; readonly isClientGone?: boolean } = {},
): Outcome | undefined {
  const record = new CallRecord();
  if (reach !== 'unsent') record.sent();
  if (reach === 'refused') record.refused();
  if (reach === 'answered') record.answered();
  record.broke(parts);
  if (!record.mayBeBilled) return undefined;
  const meter = new Meter({ inputTokens: 9, contextLength: 100 });
  const fault = new Fault('provider_unavailable');
  return endOfFailed(meter, record, { fault, isClientGone, inputMedia: undefined, at });
}

const itself = 'by itself, by its limit or by a filter';
const broken = 'cut, stalled, too late, malformed or too long';
const declared = 'the provider declared that it failed';
const left = 'the client left, and Sluice closed it';
const crash = 'Sluice crashed';
const absurd = { ...counts, outputTokens: 100_000 };
const large = { ...counts, outputTokens: 50 };

/** Each row names the end of a call and the parts that were read, and has the outcome that routing records. */
const rows: readonly (readonly [string, string, Outcome | undefined, Partial<Intent>?])[] = [
  [itself, 'all of it, with counts', read([...output, finish(counts)])],
  [itself, 'all of it, without counts', read([...output, finish(undefined)])],
  [itself, 'all of it, with counts that cannot be true', read([...output, finish(absurd)])],
  [itself, 'all of it, with counts above the hold', read([...output, finish(large)])],
  [itself, 'no output, with counts', failed('answered', { parts: [head, error(counts)] })],
  [broken, 'nothing: it was not sent', failed('unsent')],
  [broken, 'a status other than 2xx', failed('refused')],
  [broken, 'nothing', failed('sent')],
  [broken, 'a 2xx head, or bytes without output', failed('answered', { parts: [head] })],
  [broken, 'output, without counts', read([...output, error()])],
  [broken, 'output, with counts', read([...output, error(counts)])],
  [declared, 'a 2xx head', failed('answered', { parts: [head, error(undefined, 'overloaded')] })],
  [declared, 'output', read([...output, error(counts, 'overloaded')])],
  [
    'the client left, and it was read to its end',
    'all of it',
    read([...output, finish(counts)], true),
  ],
  ['the client left, then it broke', 'output', read([...output, error()], true)],
  [left, 'nothing', failed('sent', { isClientGone: true })],
  [left, 'a 2xx head', failed('answered', { parts: [head], isClientGone: true })],
  [left, 'output', read(output, true)],
  ['Sluice stopped, or broke it off', 'output', read([...output, error()])],
  [crash, 'no progress mark', interrupted(intent, undefined, at)],
  [crash, 'a progress mark', interrupted(intent, { outputTokens: 4, reasoningTokens: 0 }, at)],
];

function cellsOf([ended, wasRead, outcome]: (typeof rows)[number]): readonly string[] {
  if (!outcome) return [ended, wasRead, 'nothing', 'nothing', 'nothing: there is no row'];
  const charge = chargeOf(intent, outcome);
  const { costNanoUsd, suspendedNanoUsd, operatorSuspendedNanoUsd, claimedNanoUsd } = charge;
  const operators = (charge.upstreamCostNanoUsd ?? costNanoUsd) - costNanoUsd;
  const known = suspendedNanoUsd > 0n ? costNanoUsd : costNanoUsd + operators;
  const of = (amount: bigint, whose: string) => {
    if (amount === 0n) return [];
    return amount + known === 3_000n ? [`the rest of the hold, ${whose}`] : [`${amount}, ${whose}`];
  };
  const suspense = [
    ...of(suspendedNanoUsd, "the customer's"),
    ...of(operatorSuspendedNanoUsd, "the operator's"),
    ...(claimedNanoUsd > 0n ? ['what is above the hold, a claim'] : []),
  ];
  const word = (amount: bigint) => words.get(amount) ?? String(amount);
  return [ended, wasRead, word(costNanoUsd), word(operators), suspense.join(' and ') || 'nothing'];
}

/** The cells of the first table of the page, without its head. */
function table(): readonly (readonly string[])[] {
  const lines = readFileSync(page, 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('docs/billing.md', () => {
  test.each(rows.map((row, index) => [row[0], row[1], index, row] as const))(
    'says who pays when an attempt ended: %s; read: %s',
    (_ended, _read, index, row) => deepEqual(table()[index], cellsOf(row)),
  );

  test('has no other rows', () => deepEqual(table().length, rows.length));
});
