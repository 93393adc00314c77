import { deepEqual, equal, ok } from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { inMemoryBus } from '../in-memory-bus.ts';
import { subjectFilters, subjects } from '../subjects.ts';
import { createNotices } from './follow-notices.ts';

async function following() {
  const bus = inMemoryBus();
  const arrived: string[] = [];
  let misses = 0;
  const stopping = new AbortController();
  const notices = createNotices(bus, { anew: subjectFilters.historyChanged });
  notices.listen({
    filters: [subjectFilters.keyChanged],
    received: ({ subject }) => void arrived.push(subject.slice(subject.lastIndexOf('.') + 1)),
    missed: () => void misses++,
  });
  await notices.start(stopping.signal);
  return { bus, arrived, notices, stopping, missed: () => misses };
}

describe('notices', () => {
  test('are each received once in any order of breaks and changes, and none is given up for lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('break', 'mend', 'publish'), { maxLength: 20 }),
        async (steps) => {
          const { bus, arrived, notices, stopping, missed } = await following();
          const published: Promise<void>[] = [];
          for (const step of steps) {
            if (step === 'publish') {
              const name = `key${published.length}`;
              published.push(bus.publishNotice(subjects.keyChanged(name), {}));
            } else bus.setConnected(step === 'mend');
            await turn();
          }
          bus.setConnected(true);
          await Promise.all(published);
          bus.setConnected(false);
          bus.setConnected(true);
          await turn();
          stopping.abort();
          deepEqual(arrived.toSorted(), published.map((_, index) => `key${index}`).toSorted());
          equal(missed(), 1, 'only the first read knows nothing of before');
          ok(notices.unsubscribedMs() <= 1_000);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('of another history have all that was learned before asked for anew', async () => {
    const { bus, arrived, missed, stopping } = await following();
    const before = missed();
    await bus.publishNotice(subjects.historyChanged('1'), {});
    await turn();
    equal(missed(), before + 1);
    bus.setConnected(false);
    const published = bus.publishNotice(subjects.historyChanged('2'), {});
    await turn();
    equal(missed(), before + 1);
    bus.setConnected(true);
    await published;
    await turn();
    stopping.abort();
    equal(missed(), before + 2);
    deepEqual(arrived, []);
  });

  test('are not given to a listener of other subjects', async () => {
    const { bus, arrived, stopping } = await following();
    await bus.publishNotice(subjects.workspaceChanged('account'), {});
    await turn();
    stopping.abort();
    deepEqual(arrived, []);
  });
});
