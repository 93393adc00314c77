import { deepEqual, equal, ok } from 'node:assert/strict';
import { serverToolKinds } from '@sluice/client-schemas';
import { systemClock } from '@sluice/clock-and-ids';
import type { Tracing } from '@sluice/telemetry';
import { afterEach, describe, test } from 'vitest';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';
import { datetimeTool } from '../../tools/datetime/index.ts';
import { errorResult, type ServerTool } from '../../tools/tool.ts';

// Operators see counts, times and costs of server tools, and a span for each call.

let routing: RoutingHarness;
afterEach(() => routing.stop());

const cent = 10_000_000n;
const free = datetimeTool({ clock: systemClock });
const paid: ServerTool = {
  ...free,
  worstCost: () => cent,
  run: async (args, context) => ({
    ...(await free.run(args, context)),
    charge: { costNanoUsd: cent },
  }),
};

async function ask(script: string, more: object = {}): Promise<void> {
  const tools = [{ type: 'service:datetime' }];
  const body = { model: 'sim/echo', input: `agent: ${script}`, tools, ...more };
  const reply = await routing.call(body);
  equal(reply.status, 200, await textOf(reply));
}

const call = 'call service_datetime';

/** Returns the samples of a metric that are not 0, without the scope. */
async function samplesOf(metric: string): Promise<readonly string[]> {
  const lines = (await routing.metrics()).split('\n');
  return lines
    .filter((line) => line.startsWith(`${metric}{`) && !line.endsWith(' 0'))
    .map((line) => line.slice(metric.length).replace(',otel_scope_name="sluice"', ''))
    .toSorted();
}

describe('the metrics of tools', () => {
  test('count calls by their end, and add up their cost', async () => {
    routing = await routingHarness({ tools: [paid] });
    await ask(`${call} and ${call} {"timezone":7} then ${call} <<x>> then say done`);
    await ask(`${call} forever`, { max_tool_calls: 1 });
    await ask(`${call} and ${call}`, { max_tool_calls: 1 });
    const tool = 'tool="service:datetime"';
    deepEqual(await samplesOf('tools_calls_total'), [
      `{${tool},outcome="completed"} 3`,
      `{${tool},outcome="invalid"} 2`,
      `{${tool},outcome="refused"} 1`,
    ]);
    deepEqual(await samplesOf('tools_cost_usd_total'), [`{${tool}} 0.03`]);
    deepEqual(await samplesOf('tools_duration_seconds_count'), [`{${tool}} 6`]);
  });

  test.each<[string, ServerTool['run'], string]>([
    ['fails', async () => errorResult('no clock'), 'failed'],
    ['hangs', () => new Promise(() => {}), 'timeout'],
  ])('count a tool that %s', async (_what, run, outcome) => {
    routing = await routingHarness({ tools: [{ ...free, timeoutMs: 50, run }] });
    await ask(`${call} then say done`);
    const [counted] = await samplesOf('tools_calls_total');
    equal(counted, `{tool="service:datetime",outcome="${outcome}"} 1`);
  });

  test('count a call that no budget holds', async () => {
    const dear = { ...paid, worstCost: () => 1_000n * cent };
    routing = await routingHarness({ tools: [dear], creditsNanoUsd: 100n * cent });
    await ask(call, { max_output_tokens: 100 });
    const [counted] = await samplesOf('tools_calls_total');
    equal(counted, '{tool="service:datetime",outcome="refused"} 1');
  });

  test('are there for each tool before it is called', async () => {
    routing = await routingHarness();
    const text = await routing.metrics();
    const types = serverToolKinds.filter((kind) => kind.startsWith('service:'));
    // Another word for one of the others.
    const aliases = ['service:search_models'];
    deepEqual(
      types.filter((type) => !text.includes(`tool="${type}",outcome="failed"`)),
      aliases,
    );
  });
});

test('a call is a span under the request, without its arguments and its result', async () => {
  const spans: { name: string; parent: string | undefined; error?: string; text: string }[] = [];
  const tracing: Tracing = {
    isRecording: true,
    start(name, { parent, attributes }) {
      const span = { name, parent, text: JSON.stringify(attributes?.()) };
      return {
        traceparent: parent,
        set() {},
        end: (error) => void spans.push({ ...span, ...(error !== undefined && { error }) }),
      };
    },
  };
  routing = await routingHarness({ tracing });
  await ask(`${call} {"timezone":"Asia/Tokyo"} and ${call} {"timezone":7} then say done`);
  const tools = spans.filter(({ name }) => name.startsWith('execute_tool'));
  deepEqual(
    tools.map(({ name }) => name),
    ['execute_tool service:datetime', 'execute_tool service:datetime'],
  );
  deepEqual(new Set(tools.map(({ error }) => error)), new Set(['invalid', undefined]));
  const [model] = spans.filter(({ name }) => name.startsWith('chat '));
  for (const { parent, text } of tools) {
    equal(parent, model?.parent);
    ok(text.includes('"sluice.generation.id":"gen-'), text);
    ok(!text.includes('Tokyo'), text);
  }
});
