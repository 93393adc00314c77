import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { agentScript, type Script } from '@sluice/simulator';
import { afterEach, describe, test } from 'vitest';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';
import { bodyOf, loopCases } from '../../testing/tool-loops.ts';
import { fusionTool } from '../../tools/fusion/index.ts';

// Each way in which a panel or its analyst can fail is a result for the model, with the contract's reason.

let routing: RoutingHarness;
afterEach(() => routing.stop());

const type = 'service:fusion';
const call = 'call service_fusion';

interface Item {
  readonly type: string;
  readonly status: string;
  readonly sources?: readonly { readonly url: string; readonly title: string }[];
  readonly responses?: readonly object[];
  readonly analysis?: object;
  readonly failure_reason?: string;
}

async function itemOf(input: string, parameters: object = {}): Promise<Item | undefined> {
  const own = { analysis_models: ['sim/echo'], tools: [], ...parameters };
  const tools = [{ type, parameters: own }];
  const reply = await routing.call({ model: 'sim/chat', input, tools });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const { status, output } = JSON.parse(text) as { status: string; output: readonly Item[] };
  equal(status, 'completed', text);
  return output.find((item) => item.type === type);
}

/** An analyst says this. undefined: nothing. */
function judging(words: string | undefined): Script {
  return (prompt) => {
    if (!prompt.answerSchema) return agentScript(prompt);
    if (words === undefined) return { directives: ['empty'] };
    return { parts: [{ type: 'text', name: '', text: words }] };
  };
}

describe('the analyst', () => {
  test.each<[string | undefined, string]>([
    ['certainly!', 'judge_not_valid_json'],
    ['{"consensus":[]}', 'judge_schema_mismatch'],
    ['[]', 'judge_schema_mismatch'],
    [' ', 'judge_empty_completion'],
    [undefined, 'judge_upstream_error'],
  ])('that says %j leaves the answers, and a reason', async (words, reason) => {
    routing = await routingHarness({ script: judging(words) });
    const item = await itemOf(call);
    deepEqual([item?.status, item?.failure_reason], ['completed', reason]);
    deepEqual([item?.responses?.length, item?.analysis], [1, undefined]);
  });
});

describe('a panel', () => {
  test.each([
    ['sim/echo-sim-error-429', 'rate_limited'],
    ['sim/echo-sim-error-500', 'all_panels_failed'],
    ['sim/echo-sim-empty', 'all_panels_failed'],
    ['no/such', 'invalid_model'],
  ])('of %s fails as %s', async (model, reason) => {
    routing = await routingHarness();
    const item = await itemOf(call, { analysis_models: [model] });
    deepEqual([item?.status, item?.failure_reason], ['incomplete', reason]);
  });

  test('whose models fail for different reasons has the general one', async () => {
    routing = await routingHarness();
    const analysis_models = ['sim/echo-sim-error-429', 'no/such'];
    const item = await itemOf(call, { analysis_models });
    equal(item?.failure_reason, 'all_panels_failed');
  });

  test('that does not answer in time is canceled', async () => {
    const hasty = { ...fusionTool({ catalog: { listed: [] } }), timeoutMs: 50 };
    routing = await routingHarness({ tools: [hasty], limits: { drainMs: 20 } });
    const item = await itemOf(call, { analysis_models: ['sim/echo-sim-hang'] });
    deepEqual([item?.status, item?.failure_reason], ['incomplete', 'cancelled']);
  });

  test('that breaks has a reason, too', async () => {
    const catalog = {
      get listed(): never {
        throw new Error('secret');
      },
    };
    routing = await routingHarness({ tools: [fusionTool({ catalog })] });
    const tools = [{ type }];
    const text = await textOf(await routing.call({ model: 'sim/chat', input: call, tools }));
    match(text, /"failure_reason":"unexpected_error"/);
    ok(!text.includes('secret'));
  });
});

describe('a second call of one answer', () => {
  test.each(loopCases)('is an error: $dialect of $model, streamed: $stream', async (one) => {
    routing = await routingHarness();
    const parameters = { analysis_models: ['sim/echo'], tools: [] };
    const asking = `${call} {"prompt":"What next?"}`;
    const content = `agent: ${asking} and ${asking}`;
    const body = bodyOf(one, { content, tools: [{ type, parameters }] });
    const reply = await routing.call(body, { dialect: one.dialect });
    const text = await textOf(reply);
    equal(reply.status, 200, text);
    match(text, /fusion_invocation_capped/);
    match(text, /blind_spots/);
  });
});

test('the pages that the panel read are the sources of the item', async () => {
  routing = await routingHarness();
  const prompt = 'agent: call service_web_search {"query":"ferry"} then say it leaves at nine';
  const tools = [{ type: 'service:web_search', parameters: { max_results: 2 } }];
  const args = JSON.stringify({ prompt });
  const item = await itemOf(`agent: call service_fusion ${args} then say done`, { tools });
  equal(item?.sources?.length, 2, JSON.stringify(item));
  for (const { url, title, ...rest } of item.sources) {
    match(url, /^https?:/);
    ok(title);
    deepEqual(rest, {});
  }
});
