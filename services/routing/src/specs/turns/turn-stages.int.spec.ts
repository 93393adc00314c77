import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { OutputStage, ResponseStage, TurnStage, Verdict } from '../../stages/stage.ts';
import {
  eventually,
  type RoutingHarness,
  routingHarness,
  textOf,
} from '../../testing/routing-harness.ts';
import { twoTurns } from '../../testing/two-turns.ts';

/** Judges the answers of a user by what the name of the user asks for: `reject`, or the number of retries. */
const judging: ResponseStage<'turn', TurnStage> = {
  at: 'turn',
  name: 'judging',
  open({ user }) {
    if (user === undefined) return undefined;
    let judged = 0;
    return {
      judge(answer): Verdict {
        ok(answer.length > 0, 'the answer is whole');
        judged += 1;
        if (user === 'reject')
          return { rejected: 'content_policy_violation', message: 'the answer breaks a rule' };
        return judged <= Number(user) ? 'retry' : 'pass';
      },
    };
  },
};

/** Rewrites or refuses the results of tools. */
const scanning: ResponseStage<'turn', TurnStage> = {
  at: 'turn',
  name: 'scanning',
  open: ({ user }) =>
    user === undefined
      ? undefined
      : {
          async runAdded(items) {
            if (user === 'refused') return { rejected: 'guardrail_blocked', message: 'no weather' };
            return {
              items: items.map((item) =>
                item.type === 'function-call-output' ? { ...item, output: '[WEATHER]' } : item,
              ),
              reports: [{ type: 'guardrail', name: 'scanning', summary: 'redacted' }],
            };
          },
        },
};

/** Withholds every answer. */
const withholding: ResponseStage<'output', OutputStage> = {
  at: 'output',
  name: 'withholding',
  open: () => ({
    parts: async (parts) => parts,
    report: () => ({ reports: [], detections: [], isBlocked: true }),
  }),
};

let judged: RoutingHarness;
let withheld: RoutingHarness;
let scanned: RoutingHarness;
/** Opens its streams before there is output. */
let waiting: RoutingHarness;
beforeAll(async () => {
  withheld = await routingHarness({ stages: [judging, withholding] });
  waiting = await routingHarness({ stages: [judging], limits: { statusHeldMs: 0 } });
  judged = await routingHarness({ stages: [judging] });
  scanned = await routingHarness({ stages: [scanning], turnLoop: twoTurns() });
});
afterAll(() => Promise.all([judged, scanned, waiting, withheld].map((routing) => routing.stop())));

async function factsOf(routing: RoutingHarness, id: string, count: number) {
  const ofResponse = () => routing.ledger.facts.filter(({ generationId }) => generationId === id);
  await eventually(() => ofResponse().length >= count || undefined, 'the facts');
  return ofResponse();
}

describe('a stage that judges answers', () => {
  const input = 'hello';
  test.each([false, true])('sends only the answer that passes, streamed: %s', async (stream) => {
    const once = await judged.call({ model: 'sim/reasoning', input, stream });
    const wanted = await textOf(once);
    const reply = await judged.call({ model: 'sim/reasoning', input, stream, user: '2' });
    const text = await textOf(reply);
    const partsOf = (of: string) => of.match(/"(?:type|output_index|delta)":[^,}]+/g)?.join();
    equal(partsOf(text), partsOf(wanted));
    const facts = await factsOf(judged, reply.headers['x-generation-id'] ?? '', 3);
    deepEqual(
      facts.map(({ usageId }) => usageId.split('/').slice(1).join('/')),
      ['1/1', '1/2', '1/3'],
    );
    const cost = Number([...text.matchAll(/"cost":([\d.e-]+)/g)].at(-1)?.[1]);
    equal(cost, Number(facts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n)) / 1e9);
  });

  test.each([false, true])('ends a response in its own words, streamed: %s', async (stream) => {
    const body = { model: 'sim/echo', input, stream, user: 'reject' };
    const reply = await judged.call(body);
    const text = await textOf(reply);
    match(text, /the answer breaks a rule/);
    ok(!text.includes('hello'), text);
    equal(reply.status, 400);
    await factsOf(judged, reply.headers['x-generation-id'] ?? '', 1);
    match(await judged.metrics(), /^spend_open\S* 0$/mu);
  });

  test('ends a stream that is open already with a failure', async () => {
    const body = { model: 'sim/echo', input, stream: true, user: 'reject' };
    const reply = await waiting.call(body);
    const text = await textOf(reply);
    equal(reply.status, 200);
    match(text, /response\.failed[\s\S]*the answer breaks a rule/);
    ok(!text.includes('output_text.delta'), text);
  });

  test('that never lets one pass ends the response after ten', async () => {
    const reply = await judged.call({ model: 'sim/echo', input, user: '1000' });
    match(await textOf(reply), /no answer of the model passed/);
    const facts = await factsOf(judged, reply.headers['x-generation-id'] ?? '', 10);
    equal(facts.length, 10);
  });
});

test('an answer that a filter withholds is not asked for again', async () => {
  const reply = await withheld.call({ model: 'sim/echo', input: 'hello', user: '2' });
  match(await textOf(reply), /no answer of the model passed/);
  equal((await withheld.receipts()).length, 1);
});

describe('a stage that scans what later turns get', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } } };
  const tools = [{ type: 'function', name: 'get_weather', parameters }];
  const body = { model: 'sim/echo', input: 'call get_weather', tools };
  const client = { wantsMetadata: true } as const;
  const answerTo = async (user?: string) =>
    await textOf(await scanned.call({ ...body, user }, { client }));

  test('changes it before the model sees it, and is reported', async () => {
    match(await answerTo(), /sunny/);
    const text = await answerTo('redacted');
    ok(!text.includes('sunny') && text.includes('[WEATHER]'), text);
    match(text, /"name":"scanning"/);
  });

  test('refuses it: no further model is called', async () => {
    const before = (await scanned.receipts()).length;
    match(await answerTo('refused'), /no weather/);
    equal((await scanned.receipts()).length, before + 1);
  });
});
