import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';
import { Type } from 'typebox';
import { afterEach, describe, test } from 'vitest';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';
import type { ToolLimits } from '../../tools/limits.ts';
import type { ServerTool } from '../../tools/tool.ts';

// The operator's limits of the calls of one tool. A call over a limit is a result for the model.

const item = { datetime: 'late', timezone: 'UTC' };

/** Answers after a time, which its arguments say, or when it is stopped. */
function toolOf(type: ServerTool['type'], more: Partial<ServerTool> = {}): ServerTool {
  return {
    type,
    asFunction: () => ({
      description: 'A tool.',
      parameters: Type.Object({ hangs: Type.Optional(Type.Boolean()) }),
    }),
    replay: () => undefined,
    run: (args, { signal }) => {
      if (args['hangs'] !== true) return Promise.resolve({ output: 'x'.repeat(5_000), item });
      return new Promise((resolve) => {
        const end = () => resolve({ output: 'stopped', item });
        signal.addEventListener('abort', end, { once: true });
      });
    },
    ...more,
  };
}

const kinds = ['service:datetime', 'service:files'] as const;
const tools = kinds.map((type) => ({ type }));

let routing: RoutingHarness;
afterEach(() => routing.stop());

async function ask(script: string, toolLimits: Partial<ToolLimits>, more?: Partial<ServerTool>) {
  const served = kinds.map((type) => toolOf(type, more));
  routing = await routingHarness({ tools: served, toolLimits });
  const body = { model: 'sim/echo', input: `agent: ${script}`, tools };
  const reply = await routing.call(body);
  const answer = JSON.parse(await textOf(reply)) as {
    readonly status: string;
    readonly output: readonly { readonly type: string; readonly status: string }[];
    readonly output_text: string;
  };
  equal(reply.status, 200);
  equal(answer.status, 'completed');
  const calls = answer.output.filter(({ type }) => type !== 'message');
  return { states: calls.map(({ status }) => status), text: answer.output_text };
}

const [date, files] = ['call service_datetime', 'call service_files'];
const [ran, stopped] = ['completed', 'incomplete'];

describe('the calls of one tool in a response', () => {
  test('have a limit over all turns, and those of another tool have their own', async () => {
    const script = `${date} and ${date} and ${files} then ${date} and ${files} then say done`;
    const { states } = await ask(script, { callsMax: 2 });
    deepEqual(states, [ran, ran, ran, stopped, ran]);
  });

  test('over the limit are an error that the model reads', async () => {
    const { states, text } = await ask(`${date} then ${date}`, { callsMax: 1 });
    deepEqual(states, [ran, stopped]);
    match(text, /the limit of tool calls is reached/);
  });

  test('have the limit of the tool itself if it is lower', async () => {
    const { states } = await ask(
      `${date} then ${date} then say done`,
      { callsMax: 9 },
      {
        callsMax: 1,
      },
    );
    deepEqual(states, [ran, stopped]);
  });
});

describe('the limits of a single tool', () => {
  test('are its calls', async () => {
    const ofTools = { 'service:datetime': { callsMax: 1 } };
    const script = `${date} and ${files} then ${date} and ${files} then say done`;
    deepEqual((await ask(script, { ofTools })).states, [ran, ran, stopped, ran]);
  });

  test.each([undefined, 60_000])('are its time, also if it has %s itself', async (timeoutMs) => {
    const ofTools = { 'service:datetime': { callMs: 100 } };
    const more = timeoutMs === undefined ? {} : { timeoutMs };
    const { states, text } = await ask(`${date} {"hangs":true}`, { ofTools }, more);
    deepEqual(states, [stopped]);
    match(text, /did not end in time/);
  });

  test('are the length of its results, under another name of it, too', async () => {
    const ofTools = { 'service:clock': { resultCharactersMax: 1_024 } };
    const { text } = await ask(date, { ofTools }, { aliases: ['service:clock'] });
    match(text, /x{1024}/);
    doesNotMatch(text, /x{1025}/);
    match(text, /The result was cut: it had 5000 characters/);
  });
});
