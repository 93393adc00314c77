import { deepEqual } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSpool } from '@sluice/spool';
import { expect, onTestFinished, test } from 'vitest';
import { Outbox } from '../outbox/outbox.ts';
import { AdmissionTally } from './admission-tally.ts';
import { UsageJournal } from './journal.ts';
import type { Outcome } from './outcome.ts';
import type { Intent } from './record.ts';

const intent: Intent = {
  usageId: 'gen-1/1/1',
  generationId: 'gen-1',
  requestId: 'req-1',
  accountId: 'a',
  workspaceId: 'w',
  keyHash: 'k',
  model: 'sim/echo',
  provider: 'simulator',
  admittedAt: new Date('2026-11-27T12:00:00.000Z'),
  streamed: false,
  inputTokens: 0,
  prices: {
    inputTokenAttoUsd: 0n,
    cachedTokenAttoUsd: 0n,
    outputTokenAttoUsd: 0n,
    requestAttoUsd: 0n,
  },
  holdNanoUsd: 0n,
  leaseEpoch: 1n,
  leaseNumbers: [],
};
const ended: Outcome = {
  outcome: 'completed',
  finishReason: 'stop',
  usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 },
  isEstimated: false,
  isDeclaredFailure: false,
  upstreamId: undefined,
  completedAt: new Date('2026-11-27T12:00:01.000Z'),
};

test('the records of a killed run count as that run would have counted them', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tally-'));
  const spool = await openSpool({
    directory,
    onFatal: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(async () => {
    await spool.stop();
    await rm(directory, { recursive: true });
  });
  const replica = { id: 'replica-1', epoch: 1n };
  const journal = new UsageJournal({ spool, replica, outbox: new Outbox() });
  const named = (usageId: string, labels: Intent['labels'] = {}) => ({
    ...intent,
    usageId,
    labels,
  });

  await journal.open(named('gen-1/1/1'), { canWait: false }).durable;
  await journal.settle(named('gen-1/1/1'), ended).durable;
  await journal.open(named('gen-2/1/1'), { canWait: false }).durable;
  journal.release(named('gen-2/1/1'));
  await journal.open(named('gen-3/1/1'), { canWait: false }).durable;
  await journal.settleAtOnce(named('gen-4/tool/1', { apiType: 'tool' }), ended).durable;
  const repeated = { responseCacheSourceId: 'gen-1' };
  for (const id of ['gen-5', 'gen-6', 'gen-7'])
    journal.settleSoon({ ...named(`${id}/1/1`, repeated), generationId: id }, ended);
  journal.flush();
  await journal.settleAtOnce(named('gen-8/tool/1', { apiType: 'tool' }), ended).durable;

  const { totals, spoolSequence: upTo } = journal.report();
  const totalsAgain = new AdmissionTally();
  await totalsAgain.addSpool(spool, { after: 0n, upTo });
  const day = { accountId: 'a', day: '2026-11-27' };
  deepEqual(totals, [{ ...day, admitted: 8n, settled: 6n, released: 1n }]);
  deepEqual(totalsAgain.take(), totals);
});
