import { deepEqual, equal } from 'node:assert/strict';
import { afterEach, beforeEach, describe, test, vi } from 'vitest';
import { startHeartbeat } from './heartbeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A broker whose answers the test lets go. */
function beating() {
  const asked: PromiseWithResolvers<void>[] = [];
  const said: string[] = [];
  const heartbeat = startHeartbeat({
    ask() {
      const question = Promise.withResolvers<void>();
      asked.push(question);
      return question.promise;
    },
    onSilent: () => said.push('silent'),
    onBack: () => said.push('back'),
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { heartbeat, asked, said, pass };
}

describe('a heartbeat', () => {
  test('is believed in until 2 s of questions have no answer', async () => {
    const { heartbeat, said, pass } = beating();
    await pass(2_400);
    equal(heartbeat.isAlive(), true);
    await pass(200);
    equal(heartbeat.isAlive(), false);
    deepEqual(said, ['silent']);
  });

  test('is believed in as long as answers come, each some questions late', async () => {
    const { heartbeat, asked, said, pass } = beating();
    for (let number = 0; number < 20; number++) {
      await pass(500);
      asked[number - 3]?.resolve();
      await pass(0);
      equal(heartbeat.isAlive(), true);
    }
    deepEqual(said, []);
  });

  test('is back with an answer to a late question, not with one to an early question alone', async () => {
    const { heartbeat, asked, said, pass } = beating();
    await pass(4_000);
    asked[0]?.resolve();
    await pass(0);
    equal(heartbeat.isAlive(), false);
    asked.at(-1)?.resolve();
    await pass(0);
    equal(heartbeat.isAlive(), true);
    deepEqual(said, ['silent', 'back']);
  });

  test('asks no more than eight questions that nobody answers', async () => {
    const { asked, pass } = beating();
    await pass(60_000);
    equal(asked.length, 8);
  });

  test('goes on asking when questions fail', async () => {
    const { heartbeat, asked, pass } = beating();
    for (let number = 0; number < 40; number++) {
      await pass(500);
      asked.at(-1)?.reject(new Error('no connection'));
    }
    equal(asked.length, 40);
    equal(heartbeat.isAlive(), false);
    heartbeat.reset();
    equal(heartbeat.isAlive(), true);
  });
});
