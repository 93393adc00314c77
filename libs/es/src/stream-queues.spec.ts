import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { streamQueues } from './stream-queues.ts';

describe('queues of streams', () => {
  test('run the work of one stream in order, also after a failure', async () => {
    const inTurn = streamQueues(10);
    const log: string[] = [];
    const work = (name: string) =>
      inTurn('a', async () => {
        log.push(`${name} begins`);
        await Promise.resolve();
        log.push(`${name} ends`);
        if (name === '2') throw new Error('2 failed');
        return name;
      });
    const answers = await Promise.allSettled([work('1'), work('2'), work('3')]);
    deepEqual(
      answers.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    deepEqual(
      log,
      ['1', '2', '3'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
  });

  test('let other streams go on', async () => {
    const inTurn = streamQueues(10);
    const { promise: blocked, resolve } = Promise.withResolvers<string>();
    const first = inTurn('a', () => blocked);
    equal(await inTurn('b', async () => 'done'), 'done');
    resolve('unblocked');
    equal(await first, 'unblocked');
  });

  test('hold a bounded number, and have room again afterwards', async () => {
    const inTurn = streamQueues(2);
    const { promise: blocked, resolve } = Promise.withResolvers<undefined>();
    const held = [inTurn('a', () => blocked), inTurn('a', () => blocked)];
    await rejects(
      inTurn('a', () => blocked),
      { code: 'revision_conflict', retryAfterSeconds: 1 },
    );
    resolve(undefined);
    await Promise.all(held);
    equal(await inTurn('a', async () => 'again'), 'again');
  });
});
