import { equal, ok, rejects } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { describe, onTestFinished, test } from 'vitest';
import { createPolicies } from './policies.ts';
import type { Policy } from './policy.ts';

const question = { accountId: 'account', workspaceId: 'workspace', keyHash: 'key' };
const named = (name: string): Policy => ({
  isWorkspaceAlive: true,
  disabledServerTools: [],
  allowedPhrases: [],
  budgets: [],
  includeByokInBudgets: false,
  defaults: {},
  guardrails: [
    { id: name, name, scope: 'key', assigneeId: 'key', includeByok: false, rules: undefined },
  ],
});
const nameOf = (policy: Policy) => policy.guardrails[0]?.name;

/** A cache of policies over a source whose answers the test releases one by one. */
function controlled(options: { readonly entriesMax?: number } = {}) {
  let nowMs = 1_000_000;
  let hears = true;
  const asked: PromiseWithResolvers<Policy>[] = [];
  const policies = createPolicies({
    nowMs: () => nowMs,
    unsubscribedMs: () => (hears ? 0 : Infinity),
    ask() {
      const answer = Promise.withResolvers<Policy>();
      asked.push(answer);
      return answer.promise;
    },
    ...options,
  });
  policies.subscribedAnew();
  // A question without an answer would be a refusal in a later test.
  onTestFinished(() => asked.forEach((each) => each.resolve(named('late'))));
  return {
    policies,
    asked,
    pass: (ms: number) => void (nowMs += ms),
    hear: (now: boolean) => void (hears = now),
    find: async (more: object = {}) => nameOf(await policies.find({ ...question, ...more })),
    learn: async (name: string, more: object = {}) => {
      const found = policies.find({ ...question, ...more });
      asked.at(-1)?.resolve(named(name));
      await found;
      await Promise.resolve();
    },
  };
}

describe('a cached policy', () => {
  test('is returned at once, without a promise or a call', async () => {
    const { policies, asked, learn } = controlled();
    await learn('one');
    const found = policies.find(question);
    ok(!(found instanceof Promise));
    equal(nameOf(found), 'one');
    equal(asked.length, 1);
  });

  test('is requested once for all waiting callers', async () => {
    const { asked, find } = controlled();
    const waiting = [find(), find(), find()];
    equal(asked.length, 1);
    asked[0]?.resolve(named('one'));
    equal((await Promise.all(waiting)).join(), 'one,one,one');
  });

  test('belongs to one account, workspace, key and member', async () => {
    const { asked, learn, find } = controlled();
    await learn('one');
    for (const other of [
      { accountId: 'other' },
      { workspaceId: 'other' },
      { keyHash: 'other' },
      { creatorUserId: 'user' },
    ])
      void find(other);
    equal(asked.length, 5);
  });

  test('is refreshed in the background when it is no longer young', async () => {
    const { policies, asked, learn, pass, find } = controlled();
    await learn('one');
    pass(29_999);
    equal(await find(), 'one');
    equal(asked.length, 1);
    pass(20_001);
    equal(await find(), 'one');
    equal(await find(), 'one');
    equal(asked.length, 2);
    asked[1]?.resolve(named('two'));
    await new Promise((resolve) => setImmediate(resolve));
    ok(!(policies.find(question) instanceof Promise));
    equal(await find(), 'two');
  });

  test('is refreshed at another time than those cached together with it', async () => {
    const { asked, learn, pass, find } = controlled();
    const hashes = Array.from({ length: 100 }, (_, index) => `key${index}`);
    for (const keyHash of hashes) await learn('one', { keyHash });
    pass(30_000);
    const steps = [];
    for (let step = 0; step < 10; step++) {
      const before = asked.length;
      for (const keyHash of hashes) await find({ keyHash });
      steps.push(asked.length - before);
      pass(2_000);
    }
    ok(Math.max(...steps) < 50, `asked together: ${steps.join()}`);
  });

  test('is at most five seconds old while the bus is away', async () => {
    const { asked, learn, pass, hear, find } = controlled();
    await learn('one');
    hear(false);
    pass(4_999);
    equal(await find(), 'one');
    equal(asked.length, 2, 'and is asked for beside the request by then');
    asked[1]?.reject(new Error('away'));
    await new Promise((resolve) => setImmediate(resolve));
    pass(1);
    const late = find();
    asked.at(-1)?.reject(new Error('away'));
    await rejects(late, { code: 'unavailable' });
  });

  test('from before the bus returned is at most five seconds old', async () => {
    const { policies, asked, learn, pass, find } = controlled();
    await learn('one');
    pass(4_999);
    policies.subscribedAnew();
    equal(await find(), 'one');
    pass(1);
    void find();
    equal(asked.length, 2);
  });

  test('is fetched again if the clock went back', async () => {
    const { asked, learn, pass, find } = controlled();
    await learn('one');
    pass(-1);
    void find();
    equal(asked.length, 2);
  });
});

describe('a change', () => {
  test('makes only the next request of that account fetch again', async () => {
    const { policies, asked, learn, find } = controlled();
    await learn('one');
    await learn('two', { keyHash: 'key2' });
    await learn('other', { accountId: 'other' });
    policies.forget('account');
    equal(policies.size, 1);
    equal(await find({ accountId: 'other' }), 'other');
    void find();
    void find({ keyHash: 'key2' });
    equal(asked.length, 5);
  });

  test('during a fetch discards the old answer', async () => {
    const { policies, asked, find } = controlled();
    const before = find();
    policies.forget('account');
    const after = find();
    equal(asked.length, 2);
    asked[1]?.resolve(named('new'));
    equal(await after, 'new');
    asked[0]?.resolve(named('old'));
    equal(await before, 'old');
    equal(await find(), 'new');
  });
});

describe('while answers fail', () => {
  const hourMs = 3_600_000;
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test.each(['is old', 'has changed'])(
    'what %s is used as it was known last, for an hour',
    async (why) => {
      const { policies, asked, learn, pass, find } = controlled();
      await learn('one');
      if (why === 'is old') pass(60_000);
      else policies.changed('account');
      const first = find();
      asked[1]?.reject(new Error('away'));
      equal(await first, 'one');
      equal(asked.length, 2);
      ok(!(policies.find(question) instanceof Promise), 'the next requests do not wait');
      equal(asked.length, 2, 'and a question that failed is not asked again at once');
      pass(hourMs - 60_001);
      equal(await find(), 'one');
      asked[2]?.reject(new Error('away'));
      await settled();
      pass(60_001);
      const late = find();
      asked[3]?.reject(new Error('away'));
      await rejects(late, { code: 'unavailable', retryAfterSeconds: 1 });
    },
  );

  test('the first successful answer is used at once', async () => {
    const { policies, asked, learn, pass, find } = controlled();
    await learn('one');
    policies.changed('account');
    const first = find();
    asked[1]?.reject(new Error('away'));
    await first;
    pass(500);
    equal(await find(), 'one');
    asked[2]?.resolve(named('two'));
    await settled();
    equal(await find(), 'two');
  });

  test('a revoked or refused policy is not used', async () => {
    const { policies, asked, learn, find } = controlled();
    await learn('one');
    policies.forget('account');
    const revoked = find();
    asked[1]?.reject(new Error('away'));
    await rejects(revoked, { code: 'unavailable' });
    await learn('two');
    policies.changed('account');
    const refused = find();
    asked.at(-1)?.reject(new Fault('not_found'));
    await rejects(refused, { code: 'unavailable' });
    equal(policies.size, 0);
  });

  test('a policy from before the bus returned is used for five seconds', async () => {
    const { policies, asked, learn, pass, find } = controlled();
    await learn('one');
    pass(1);
    policies.subscribedAnew();
    pass(4_999);
    const late = find();
    asked.at(-1)?.reject(new Error('away'));
    await rejects(late, { code: 'unavailable' });
  });
});

describe('the bounds', () => {
  test('evict the least recently used policy', async () => {
    const { policies, asked, learn, find } = controlled({ entriesMax: 2 });
    await learn('one', { keyHash: '1' });
    await learn('two', { keyHash: '2' });
    await find({ keyHash: '1' });
    await learn('three', { keyHash: '3' });
    equal(policies.size, 2);
    equal(await find({ keyHash: '1' }), 'one');
    equal(asked.length, 3);
    void find({ keyHash: '2' });
    equal(asked.length, 4);
  });

  test('allow a thousand open fetches, and refuse the next', async () => {
    const { find } = controlled();
    for (let number = 0; number < 1_000; number += 1) void find({ keyHash: String(number) });
    await rejects(find(), { code: 'unavailable' });
  });
});
