import { equal } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { jsonHead, streamHead } from '../../testing/hostile-server.ts';
import { type HostileWorld, hostileWorld, patient, sends } from '../../testing/hostile-world.ts';
import { textOf } from '../../testing/routing-harness.ts';

let world: HostileWorld;
beforeAll(async () => {
  world = await hostileWorld(patient);
});
afterAll(() => world.stop());

const patch = '*** Begin Patch\n*** End Patch\n';

/** Has a model that knows functions alone call a freeform tool with these arguments. Returns the input of the call. */
async function inputOf(text: string, { stream }: { readonly stream: boolean }): Promise<string> {
  const call = {
    index: 0,
    id: 'c',
    type: 'function',
    function: { name: 'apply_patch', arguments: text },
  };
  const said = { tool_calls: [call] };
  const usage = { prompt_tokens: 5, completion_tokens: 7 };
  const choice = { index: 0, finish_reason: 'tool_calls' };
  const whole = { id: 'x', choices: [{ ...choice, message: said }], usage };
  const chunk = { id: 'x', choices: [{ ...choice, delta: said }], usage };
  world.hostile.scenario = stream
    ? sends(streamHead, `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
    : sends(jsonHead, JSON.stringify(whole));
  const reply = await world.routing.call({
    model: 'hostile/openai-chat',
    input: 'hi',
    stream,
    tools: [{ type: 'custom', name: 'apply_patch' }],
  });
  const answer = await textOf(reply);
  const [, input] = [...answer.matchAll(/"input":("(?:[^"\\]|\\.)*")/g)].at(-1) ?? [];
  return JSON.parse(input ?? `"no call: ${answer.slice(0, 80).replaceAll('"', "'")}"`) as string;
}

describe.each([{ stream: false }, { stream: true }])('the input of a freeform tool, %o', (form) => {
  test.each([
    ['as it was asked for', JSON.stringify({ input: patch })],
    ['as it is', patch],
    ['under another name', JSON.stringify({ patch })],
    ['as a JSON string', JSON.stringify(patch)],
  ])('is read from arguments that have it %s', async (_how, text) => {
    equal(await inputOf(text, form), patch);
  });
});
