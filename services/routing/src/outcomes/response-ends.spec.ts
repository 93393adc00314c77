import { deepEqual, equal } from 'node:assert/strict';
import type { Bus } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import { until } from '@sluice/patience';
import { describe, test } from 'vitest';
import { ResponseEnds } from './response-ends.ts';

const end = {
  generationId: 'gen-1',
  accountId: 'acct_1',
  workspaceId: 'ws_1',
  turns: 1,
  endedAt: new Date(0),
  detections: [],
};
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Reports an end to a broker that is away for some attempts. */
function report(awayFor: number) {
  const seen = { attempts: 0, stored: [] as string[], dropped: 0 };
  const bus: Pick<Bus, 'publishFact' | 'ensureStream'> = {
    ensureStream: () => Promise.resolve(),
    publishFact(_, id) {
      seen.attempts++;
      if (seen.attempts <= awayFor) return Promise.reject(new Fault('bus_unavailable'));
      seen.stored.push(id);
      return Promise.resolve({ stream: 'ENDED', sequence: 1 });
    },
  };
  const onDropped = () => void seen.dropped++;
  new ResponseEnds({ bus, logger: quiet, onDropped, retryMs: 0 }).report(end);
  return seen;
}

describe('the end of a response', () => {
  test('is sent again to a broker that was away', async () => {
    const seen = report(3);
    await until(() => seen.stored.length > 0);
    deepEqual(seen, { attempts: 4, stored: ['gen-1'], dropped: 0 });
  });

  test('is given up, and counted, when the broker stays away', async () => {
    const seen = report(Infinity);
    await until(() => seen.dropped > 0);
    equal(seen.attempts, 30);
  });
});
