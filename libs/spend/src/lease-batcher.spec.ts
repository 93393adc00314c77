import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type Authority, type Budget, createSpending, Shortage } from './index.ts';
import { InMemoryAuthority } from './testing.ts';

const credits: Budget = {
  accountId: 'account',
  scopeKind: 'account',
  scopeId: 'account',
  interval: null,
  limitNanoUsd: undefined,
  includeByok: false,
};
const at = new Date('2026-11-20T12:00:00.000Z');
const amountNanoUsd = 1_000n;

/** An authority with plenty that answers one call at a time, when the test says so. */
function held() {
  const rules = new InMemoryAuthority({
    limitNanoUsd: () => 1_000_000_000n,
    settledNanoUsd: () => 0n,
  });
  const calls: (() => void)[] = [];
  const authority: Authority = {
    async acquire(requests) {
      await new Promise<void>((resolve) => calls.push(resolve));
      return rules.acquire('replica', 1n, requests);
    },
  };
  return { authority, calls };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('those who ask while another question is under way', () => {
  test('get what they asked for: what others wait for is not there for them', async () => {
    const { authority, calls } = held();
    const spending = createSpending({ authority, nowMs: () => at.getTime() });
    const outcomes: string[] = [];
    const request = async (wave: string) => {
      let hold = spending.hold([credits], amountNanoUsd, at);
      if (hold instanceof Shortage) {
        await spending.ask([credits], amountNanoUsd, at);
        hold = spending.hold([credits], amountNanoUsd, at);
      }
      outcomes.push(`${wave} ${hold instanceof Shortage ? 'short' : 'holds'}`);
    };
    const wave = (name: string, size: number) => Array.from({ length: size }, () => request(name));
    const asked = [...wave('first', 1), ...wave('second', 20)];
    for (const later of ['third', 'fourth']) {
      calls.shift()?.();
      await turn();
      await turn();
      asked.push(...wave(later, 20));
    }
    while (outcomes.length < asked.length) {
      calls.shift()?.();
      await turn();
    }
    deepEqual(
      outcomes.filter((outcome) => outcome.endsWith('short')),
      [],
    );
    equal(outcomes.length, 61);
  });
});
