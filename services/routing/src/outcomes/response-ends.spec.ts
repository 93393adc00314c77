import { deepEqual, equal } from 'node:assert/strict';
import type { Bus } from '@sluice/bus';
import type { KeyManagement } from '@sluice/envelope';
import { Fault } from '@sluice/errors';
import { until } from '@sluice/patience';
import { GenerationEndedBundle } from '@sluice/protos/sluice/generation/v1/generation_events';
import { describe, test } from 'vitest';
import { type ResponseEnd, ResponseEnds } from './response-ends.ts';

const end: ResponseEnd = {
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

const ownKeys: KeyManagement = {
  wrap: async (wrapped) => ({ keyVersion: '1', wrapped }),
  unwrap: () => Promise.reject(new Fault('unavailable')),
  newestVersion: () => Promise.resolve('1'),
};

/** Reports ends of these accounts at one time. Returns the generations of each message. */
async function messagesOf(ends: readonly ResponseEnd[]): Promise<readonly string[]> {
  const messages: string[] = [];
  const bus: Pick<Bus, 'publishFact' | 'ensureStream'> = {
    ensureStream: () => Promise.resolve(),
    publishFact(subject, id, message) {
      const { ends } = GenerationEndedBundle.fromJSON(message);
      const ids = ends.map(({ generationId }) => generationId);
      equal(id, `${ids[0] ?? ''}+${String(ids.length - 1)}`);
      messages.push(`${subject.split('.').at(-1) ?? ''}: ${ids.join(' ')}`);
      return Promise.resolve({ stream: 'ENDED', sequence: 1 });
    },
  };
  const onDropped = () => {
    throw new Error('it is sent');
  };
  const reporting = new ResponseEnds({ bus, keys: ownKeys, logger: quiet, onDropped });
  for (const one of ends) reporting.report(one);
  await reporting.settle();
  return messages.toSorted();
}

const endOf = (generationId: string, more: Partial<ResponseEnd> = {}) => ({
  ...end,
  generationId,
  ...more,
});

describe('the ends of responses', () => {
  test('of one account at one time go in one message', async () => {
    const other = { accountId: 'acct_2' };
    const ends = [endOf('a'), endOf('b', other), endOf('c'), endOf('d', other), endOf('e')];
    deepEqual(await messagesOf(ends), ['acct_1: a c e', 'acct_2: b d']);
  });

  test('are so many in a message as have room there', async () => {
    const text = 'x'.repeat(60_000);
    const contents = () => ({
      system: [{ type: 'text' as const, content: text }],
      input: [],
      output: [],
      tools: [],
      isCut: false,
    });
    const long = [endOf('a', { contents }), endOf('b', { contents }), endOf('c', { contents })];
    deepEqual(await messagesOf(long), ['acct_1: a', 'acct_1: b', 'acct_1: c']);
    const many = await messagesOf(Array.from({ length: 51 }, (_, index) => endOf(String(index))));
    const counts = many.map((message) => message.split(' ').length - 1);
    deepEqual(new Set(counts), new Set([1, 50]));
  });
});

describe('the end of a response', () => {
  test('is sent again to a broker that was away', async () => {
    const seen = report(3);
    await until(() => seen.stored.length > 0);
    deepEqual(seen, { attempts: 4, stored: ['gen-1+0'], dropped: 0 });
  });

  test('is given up, and counted, when the broker stays away', async () => {
    const seen = report(Infinity);
    await until(() => seen.dropped > 0);
    equal(seen.attempts, 30);
  });
});
