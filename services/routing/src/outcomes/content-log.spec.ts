import { deepEqual, equal } from 'node:assert/strict';
import type { Bus } from '@sluice/bus';
import type { KeyManagement } from '@sluice/envelope';
import { Fault } from '@sluice/errors';
import { until } from '@sluice/patience';
import { describe, test } from 'vitest';
import { ContentLog } from './content-log.ts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const generation = (generationId: string) => ({
  generationId,
  accountId: 'acct_1',
  workspaceId: 'ws_1',
  userId: '',
  endedAt: new Date(0),
  contents: () => ({ system: [], input: [], output: [], tools: [], isCut: false }),
});
const keysThat = (wrap: KeyManagement['wrap']): KeyManagement => ({
  wrap,
  unwrap: () => Promise.reject(new Fault('unavailable')),
  newestVersion: () => Promise.resolve('1'),
});
const readyKeys = keysThat(async (wrapped) => ({ keyVersion: '1', wrapped }));

/** A log whose broker is away for some attempts. */
function logWith(keys: KeyManagement | undefined, awayFor = 0) {
  const seen = { attempts: 0, stored: [] as string[], dropped: 0 };
  const bus: Pick<Bus, 'publishFact' | 'ensureStream'> = {
    ensureStream: () => Promise.resolve(),
    publishFact(_, id) {
      seen.attempts++;
      if (seen.attempts <= awayFor) return Promise.reject(new Fault('bus_unavailable'));
      seen.stored.push(id);
      return Promise.resolve({ stream: 'CONTENT', sequence: 1 });
    },
  };
  const onDropped = () => void seen.dropped++;
  return { seen, log: new ContentLog({ bus, keys, logger: quiet, onDropped, retryMs: 0 }) };
}

describe('the contents of a generation', () => {
  test('are sent again to a broker that was away', async () => {
    const { seen, log } = logWith(readyKeys, 3);
    log.report(generation('gen-1'));
    await until(() => seen.stored.length > 0);
    deepEqual(seen, { attempts: 4, stored: ['gen-1'], dropped: 0 });
  });

  test('are counted if the broker stays away, or nothing can seal them', async () => {
    const away = logWith(readyKeys, Infinity);
    away.log.report(generation('gen-1'));
    await until(() => away.seen.dropped === 1);
    const locked = logWith(keysThat(() => Promise.reject(new Fault('unavailable'))));
    locked.log.report(generation('gen-1'));
    await until(() => locked.seen.dropped === 1);
    const keyless = logWith(undefined);
    keyless.log.report(generation('gen-1'));
    deepEqual(keyless.seen, { attempts: 0, stored: [], dropped: 1 });
  });

  test('wait in a bounded number, and make room again', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = keysThat(async (wrapped) => {
      await promise;
      return { keyVersion: '1', wrapped };
    });
    const { seen, log } = logWith(slow);
    for (let number = 0; number < 300; number++) log.report(generation(`gen-${String(number)}`));
    equal(seen.dropped, 44);
    resolve();
    await until(() => seen.stored.length === 256);
    log.report(generation('gen-last'));
    await until(() => seen.stored.includes('gen-last'));
    equal(seen.dropped, 44);
  });
});
