import { deepEqual, equal, rejects } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { until } from '@sluice/patience';
import { createLogger } from '@sluice/logging';
import { expect, onTestFinished, test } from 'vitest';
import { FailureReports, type FailedGeneration, reportFailures } from './failure-reports.ts';

const failure = (accountId: string): FailedGeneration => ({
  accountId,
  generation: undefined,
  turn: 1,
});

function ledger() {
  const sent: string[] = [];
  const calls: number[] = [];
  return {
    sent,
    calls,
    isUp: true,
    async reportFailures({ failures }: { readonly failures: readonly FailedGeneration[] }) {
      if (!this.isUp) throw new Fault('unavailable');
      calls.push(failures.length);
      sent.push(...failures.map(({ accountId }) => accountId));
      return {};
    },
  };
}

test('failures go in their order, fifty in one call', async () => {
  const reports = new FailureReports(() => {});
  const to = ledger();
  await reports.send(to);
  for (let index = 0; index < 60; index += 1) reports.add(() => failure(`a${index}`));
  await reports.send(to);
  await reports.send(to);
  await reports.send(to);
  deepEqual(to.calls, [50, 10]);
  deepEqual([to.sent[0], to.sent.at(-1), reports.size], ['a0', 'a59', 0]);
});

test('beyond a thousand that wait they are neither kept nor written, and counted', () => {
  let dropped = 0;
  let written = 0;
  const reports = new FailureReports(() => void (dropped += 1));
  for (let index = 0; index < 1_500; index += 1)
    reports.add(() => {
      written += 1;
      return failure('a');
    });
  deepEqual([reports.size, written, dropped], [1_000, 1_000, 500]);
});

test('what the ledger did not take goes again', async () => {
  const reports = new FailureReports(() => {});
  const to = ledger();
  reports.add(() => failure('a'));
  to.isUp = false;
  await rejects(reports.send(to), { code: 'unavailable' });
  equal(reports.size, 1);
  const stopping = new AbortController();
  const logger = createLogger({ service: 'spec', level: 'silent' });
  const { signal } = stopping;
  const work = reportFailures({ reports, ledger: to, logger, signal, intervalMs: 1 });
  onTestFinished(() => stopping.abort());
  to.isUp = true;
  await until(() => to.sent.length === 1);
  stopping.abort();
  await expect(work).resolves.toBeUndefined();
});
