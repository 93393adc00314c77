import { deepEqual } from 'node:assert/strict';
import { afterEach, beforeEach, test, vi } from 'vitest';
import { tellDegradation } from './tell-degradation.ts';

const roundMs = 1_000;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('each reason is told once, whatever changes in it, and its end', async () => {
  const away = (failure: string) => `the event store is away since 10:00: ${failure}`;
  const stopped = 'projection keys: stopped at event 7';
  const answers: (readonly string[] | Error)[] = [
    [],
    [away('connection refused')],
    [away('no route'), stopped],
    new Error('nobody answers'),
    [stopped],
    [],
    [],
    [away('connection refused')],
  ];
  const said: string[] = [];
  const stops: (() => Promise<void>)[] = [];
  tellDegradation({
    async ask() {
      const answer = answers.shift() ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    progress: { say: (line) => void said.push(line) },
    lifecycle: {
      add(part) {
        stops.push(async () => part.stop());
        return part;
      },
    },
  });
  for (let rounds = answers.length; rounds > 0; rounds--)
    await vi.advanceTimersByTimeAsync(roundMs);
  deepEqual(said, [
    `Degraded: ${away('connection refused')}`,
    `Degraded: ${stopped}`,
    'Everything is served again',
    `Degraded: ${away('connection refused')}`,
  ]);
  for (const stop of stops) await stop();
  deepEqual(vi.getTimerCount(), 0);
});
