import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { Rejection } from '@sluice/errors';
import type { ClientDialectName, Principal } from '@sluice/inference-port';
import type { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { afterEach, describe, expect, test } from 'vitest';
import {
  eventually,
  routingHarness,
  type RoutingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';
import { searched, type TestTool, toolTurns } from '../../testing/tool-turns.ts';
import { recover } from '../../usage/journal/recover.ts';

const cent = 10_000_000n;
const worst = 2n * cent;

let routing: RoutingHarness;
afterEach(() => routing.stop());

type Options = NonNullable<Parameters<typeof routingHarness>[0]>;

async function harness(tools: readonly TestTool[], options: Options = {}) {
  const refused: Rejection[] = [];
  const turnLoop = toolTurns(tools, (rejection) => refused.push(rejection));
  routing = await routingHarness({ turnLoop, ...options });
  return refused;
}

const body = { model: 'sim/echo', input: 'hello' };

async function ask(principal: Principal = somebody): Promise<unknown> {
  const reply = await routing.call(body, { principal });
  equal(reply.status, 200);
  return JSON.parse(await textOf(reply));
}

/** Returns the fact of a call of a tool. */
function toolFact(number = 1): Promise<UsageRecorded> {
  return eventually(
    () => routing.ledger.facts.find(({ usageId }) => usageId.endsWith(`/tool/${number}`)),
    'the fact of the tool',
  );
}

const turnFacts = () =>
  eventually(() => {
    const turns = routing.ledger.facts.filter(({ apiType }) => apiType === '');
    return turns.length === 2 ? turns : undefined;
  }, 'the facts of both turns');

const usd = (nanoUsd: bigint) => Number(nanoUsd) / 1e9;
const costOf = (facts: readonly UsageRecorded[]) =>
  facts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n);

describe('a paid call of a tool', () => {
  test('is a fact of its generation, at the price that its engine asked for', async () => {
    await harness([{}]);
    await ask();
    const fact = await toolFact();
    const [turn] = await turnFacts();
    expect(fact).toMatchObject({
      usageId: `${turn?.generationId ?? ''}/tool/1`,
      generationId: turn?.generationId,
      requestId: turn?.requestId,
      accountId: somebody.accountId,
      model: 'sim/echo',
      provider: 'exa',
      upstreamId: 'search-1',
      apiType: 'tool',
      toolType: 'service:web_search',
      specialTokens: { searches: '1', searchResults: '5' },
      costNanoUsd: cent,
      holdNanoUsd: worst,
      suspendedNanoUsd: 0n,
      inputTokens: 0n,
      outputTokens: 0n,
      isByok: false,
      outcome: 'completed',
      estimated: false,
    });
    equal(fact.leaseNumbers.length, 1);
  });

  test.each<[ClientDialectName, object, object]>([
    ['responses', body, {}],
    ['chat-completions', { model: 'sim/echo', messages: [{ role: 'user', content: 'hello' }] }, {}],
    [
      'messages',
      { model: 'sim/echo', max_tokens: 99, messages: [{ role: 'user', content: 'hello' }] },
      { server_tool_use: { web_search_requests: 2 } },
    ],
  ])('is in the usage that clients read: %s', async (dialect, sent, more) => {
    await harness([{}, {}]);
    const reply = await routing.call(sent, { dialect });
    const { usage } = JSON.parse(await textOf(reply)) as { usage: { cost: number } };
    const tools = [await toolFact(1), await toolFact(2)];
    expect(usage).toMatchObject({
      cost: usd(costOf([...(await turnFacts()), ...tools])),
      cost_details: { server_tool_cost: usd(2n * cent) },
      server_tool_use_details: {
        tool_calls_requested: 2,
        tool_calls_executed: 2,
        web_search_requests: 2,
      },
      is_byok: false,
      ...more,
    });
  });

  test('is on disk as an intent before its engine is called', async () => {
    const open: string[][] = [];
    const run = async (callId: string) => {
      const { interrupted } = await recover(routing.spool);
      open.push([callId, ...interrupted.map(({ intent }) => intent.usageId)]);
      return searched;
    };
    await harness([{ run }]);
    await ask();
    const { usageId } = await toolFact();
    deepEqual(open, [[usageId, usageId]]);
  });

  test('is not made where a cap does not hold its worst cost', async () => {
    let runs = 0;
    const run = () => Promise.resolve((runs++, searched));
    const refused = await harness([{ run, worstNanoUsd: 20_000_000_000n }], {
      creditsNanoUsd: 10_000_000_000n,
    });
    await ask();
    equal(runs, 0);
    deepEqual(
      refused.map(({ rejected }) => rejected),
      ['credits_exhausted'],
    );
    equal((await turnFacts()).length, routing.ledger.facts.length);
  });

  test('never overspends a cap that many calls share', async () => {
    const creditsNanoUsd = 7n * worst;
    const refused = await harness(
      Array.from({ length: 20 }, () => ({ run: async () => ({ ...searched, charge: full }) })),
      { creditsNanoUsd },
    );
    await routing.call({ ...body, max_output_tokens: 20 }).then(textOf);
    const paid = await eventually(() => {
      const tools = routing.ledger.facts.filter(({ apiType }) => apiType === 'tool');
      return tools.length + refused.length === 20 ? tools : undefined;
    }, 'an end of each call');
    ok(paid.length > 0 && paid.length <= 7);
    ok(costOf(routing.ledger.facts) <= creditsNanoUsd);
    ok(refused.every(({ rejected }) => rejected === 'credits_exhausted'));
  });

  test('counts against the limit of the key, and frees what it did not use', async () => {
    const principal = { ...somebody, limitNanoUsd: worst + cent };
    const refused = await harness([{}], {});
    await ask(principal);
    await toolFact();
    equal(refused.length, 0);
    // The hold of 2 cents is settled at 1, and the turns cost something: the rest does not hold 2 more.
    await ask(principal);
    deepEqual(
      refused.map(({ rejected }) => rejected),
      ['key_limit_exceeded'],
    );
  });

  test('that failed costs the customer nothing, and the operator what its engine asks for', async () => {
    await harness([{ run: async () => ({ ...searched, isFailed: true }) }]);
    const seen = await ask();
    const fact = await toolFact();
    deepEqual(
      [fact.outcome, fact.costNanoUsd, fact.upstreamCostNanoUsd, fact.suspendedNanoUsd],
      ['failed', 0n, cent, 0n],
    );
    expect(seen).toMatchObject({ usage: { cost_details: { server_tool_cost: 0 } } });
  });

  test('of an engine that did not answer leaves its hold in the suspense of the operator', async () => {
    const unknown = { result: 'timeout', isFailed: true, charge: { costNanoUsd: 'unknown' } };
    await harness([{ run: async () => unknown as typeof searched }]);
    await ask();
    const fact = await toolFact();
    expect(fact).toMatchObject({
      outcome: 'failed',
      costNanoUsd: 0n,
      upstreamCostNanoUsd: 0n,
      suspendedNanoUsd: 0n,
      operatorSuspendedNanoUsd: worst,
      estimateReason: 'broken_off',
    });
  });

  test('whose engine asks for more than was held costs the hold, and the rest is a claim', async () => {
    const charge = { costNanoUsd: worst + 7n };
    await harness([{ run: async () => ({ ...searched, charge }) }]);
    await ask();
    const fact = await toolFact();
    deepEqual(
      [fact.costNanoUsd, fact.claimedNanoUsd, fact.estimateReason],
      [worst, 7n, 'above_hold'],
    );
  });

  test('of a tool with a bug is in the books', async () => {
    await harness([{ run: () => Promise.reject(new Error('a bug')) }]);
    await rejects(ask());
    const fact = await toolFact();
    deepEqual([fact.outcome, fact.operatorSuspendedNanoUsd], ['failed', worst]);
  });
});

const full = { ...searched.charge, costNanoUsd: worst };

describe("a call with the account's own key of the engine", () => {
  const own = { credentialId: '0190a000-0000-7000-8000-0000000000aa' };

  test('costs no credits and no fee', async () => {
    await harness([own], { creditsNanoUsd: 5_000_000n });
    const seen = await ask();
    const fact = await toolFact();
    expect(fact).toMatchObject({
      isByok: true,
      credentialId: own.credentialId,
      costNanoUsd: cent,
      feeNanoUsd: 0n,
      freeNanoUsd: 0n,
      leaseNumbers: [],
    });
    expect(seen).toMatchObject({
      usage: { cost: usd(costOf(await turnFacts())), cost_details: { server_tool_cost: 0 } },
    });
  });

  test('is capped by a budget that counts own keys', async () => {
    const principal = { ...somebody, limitNanoUsd: worst - 1n, includeByokInLimit: true };
    const refused = await harness([own]);
    await ask(principal);
    deepEqual(
      refused.map(({ rejected }) => rejected),
      ['key_limit_exceeded'],
    );
  });
});

describe('a free call', () => {
  const free = {
    type: 'service:datetime',
    engine: '',
    worstNanoUsd: 0n,
    run: async () => ({ result: 'now', isFailed: false, charge: { costNanoUsd: 0n } }),
  } as const;

  test('is a fact that costs nothing and took no lease', async () => {
    await harness([free]);
    const seen = await ask();
    const fact = await toolFact();
    expect(fact).toMatchObject({
      toolType: 'service:datetime',
      provider: '',
      costNanoUsd: 0n,
      leaseNumbers: [],
      outcome: 'completed',
      estimated: false,
    });
    const { usage } = seen as { usage: { cost_details: object } };
    ok(!('server_tool_cost' in usage.cost_details));
  });

  test('leaves nothing open, and is admitted and settled in the report', async () => {
    await harness([free, {}]);
    await ask();
    await toolFact(1);
    await toolFact(2);
    const sums = await eventually(() => {
      const totals = routing.ledger.reports.flatMap((report) => report.totals);
      const sum = (name: 'admitted' | 'settled') =>
        totals.reduce((count, one) => count + one[name], 0n);
      return sum('settled') === 4n ? [sum('admitted'), sum('settled')] : undefined;
    }, 'the report');
    deepEqual(sums, [4n, 4n]);
  });
});

describe('after a crash in a tool', () => {
  test('its fact is written by the recovery, and its hold is in suspense', async () => {
    const { promise: never, resolve } = Promise.withResolvers<typeof searched>();
    await harness([{ run: () => never }]);
    const asked = routing.call(body).catch(() => undefined);
    await eventually(async () => {
      const { interrupted } = await recover(routing.spool);
      return interrupted.some(({ intent }) => intent.usageId.endsWith('/tool/1')) || undefined;
    }, 'the intent of the tool');
    const first = routing.service;
    await routing.crash();
    await routing.start();
    const fact = await toolFact();
    expect(fact).toMatchObject({
      apiType: 'tool',
      toolType: 'service:web_search',
      provider: 'exa',
      outcome: 'interrupted',
      costNanoUsd: 0n,
      holdNanoUsd: worst,
      suspendedNanoUsd: worst,
      estimateReason: 'interrupted',
      epoch: 2n,
    });
    resolve(searched);
    await asked;
    await first.stop();
  });
});
