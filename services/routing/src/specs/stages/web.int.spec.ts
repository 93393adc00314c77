import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { nanoUsdToNumber } from '@sluice/inference';
import { doors } from '../../testing/doors.ts';
import {
  eventually,
  routingHarness,
  type RoutingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

/** Everything that the models were asked. */
const prompts: string[] = [];
/** The names of their tools. */
const tools: string[] = [];
let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({
    // Cites the first page that it was given.
    script(prompt) {
      const text = prompt.turns.map((turn) => turn.text).join('\n');
      prompts.push(text);
      tools.push(...prompt.tools.map(({ name }) => name));
      const [url] = /https?:\/\/[^"\s)]+(?=","title")/.exec(text) ?? [];
      if (url === undefined) return { parts: [{ type: 'text', name: '', text: 'no page' }] };
      return { parts: [{ type: 'text', name: '', text: `It is so ([page](${url})).` }] };
    },
  });
});
afterAll(() => routing.stop());
afterEach(() => {
  prompts.length = 0;
  tools.length = 0;
  routing.policies.disabledServerTools = [];
});

interface Answer {
  readonly usage: { readonly cost?: number };
  readonly service_metadata: {
    readonly pipeline?: readonly { readonly name: string; readonly cost_usd: number }[];
  };
}

async function ask(door: (typeof doors)[number], fields: object, facts: number) {
  const { dialect, asks } = door;
  const body = { model: 'sim/echo', ...asks('the tallest bridge'), ...fields };
  const reply = await routing.call(body, { dialect, client: { wantsMetadata: true } });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const all = await eventually(() => {
    const id = reply.headers['x-generation-id'];
    const found = routing.ledger.facts.filter(({ generationId }) => generationId === id);
    return found.length >= facts ? found : undefined;
  }, 'the facts');
  return { text, answer: JSON.parse(text) as Answer, facts: all };
}

const web = { plugins: [{ id: 'web' }] };
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];

describe.each(doors)('the plugin web at $dialect', (door) => {
  test.each(models)('searches once, pays for it and cites: %s', async (model) => {
    const { text, answer, facts } = await ask(door, { model, ...web }, 2);
    equal(prompts.length, 1);
    match(prompts[0] ?? '', /A search of the web was made on \d{4}-\d\d-\d\d/);
    ok(/url_citation|web_search_result_location/.test(text), text);
    const [search] = facts.filter(({ toolType }) => toolType === 'service:web_search');
    ok(search && search.costNanoUsd > 0n && search.costNanoUsd <= search.holdNanoUsd);
    const [stage] = answer.service_metadata.pipeline ?? [];
    deepEqual([stage?.name, stage?.cost_usd], ['web-search', nanoUsdToNumber(search.costNanoUsd)]);
    const cost = facts.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n);
    if (answer.usage.cost !== undefined) equal(answer.usage.cost, nanoUsdToNumber(cost));
  });

  test('is what the suffix :online stands for', async () => {
    const { facts } = await ask(door, { model: 'sim/echo:online' }, 2);
    ok(facts.some(({ toolType }) => toolType === 'service:web_search'));
    const off = { model: 'sim/echo:online', plugins: [{ id: 'web', enabled: false }] };
    const without = await ask(door, off, 1);
    ok(without.facts.every(({ toolType }) => toolType === ''));
  });

  test('begins with the prompt of the request', async () => {
    await ask(door, { plugins: [{ id: 'web', search_prompt: 'My own words.' }] }, 2);
    match(prompts[0] ?? '', /My own words\./);
  });

  test('is refused if the workspace disables the search', async () => {
    routing.policies.disabledServerTools = ['service:web_search'];
    const principal = { ...somebody, workspaceId: `web-${door.dialect}` };
    const body = { model: 'sim/echo', ...door.asks('hi'), ...web };
    equal((await routing.call(body, { dialect: door.dialect, principal })).status, 403);
  });

  test('does not search for a model that nothing serves', async () => {
    const principal = { ...somebody, keyHash: 'lost' };
    const body = { ...door.asks('hi'), ...web, model: 'none/nobody' };
    equal((await routing.call(body, { dialect: door.dialect, principal })).status, 400);
    await ask(door, {}, 1);
    ok(routing.ledger.facts.every(({ keyHash }) => keyHash !== 'lost'));
  });

  test('does not search without the money for it', async () => {
    const before = routing.ledger.facts.length;
    const principal = { ...somebody, keyHash: 'poor', limitNanoUsd: 1n };
    const body = { model: 'sim/echo', ...door.asks('hi'), ...web };
    equal((await routing.call(body, { dialect: door.dialect, principal })).status, 402);
    ok(routing.ledger.facts.slice(before).every(({ keyHash }) => keyHash !== 'poor'));
  });
});

describe.each(doors)('the plugin web-fetch at $dialect', (door) => {
  test('gives the model the tool, as a native search does', async () => {
    await ask(door, { plugins: [{ id: 'web-fetch', max_uses: 2 }] }, 1);
    deepEqual(tools, ['service_web_fetch']);
    tools.length = 0;
    await ask(door, { plugins: [{ id: 'web', engine: 'native' }] }, 1);
    deepEqual(tools, ['service_web_search']);
  });
});
