import { deepEqual, equal, ok } from 'node:assert/strict';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import { generateObject, stepCountIs, streamText, tool } from 'ai';
import { beforeAll, describe, test } from 'vitest';
import { z } from 'zod';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

interface Detail {
  readonly id: string;
  readonly format: string;
  readonly signature?: string;
}
interface Message {
  readonly role: string;
  readonly reasoning_details?: readonly Detail[];
}

/** Runs a loop of one tool call with thoughts. Returns the second request and the body that the provider got of it. */
async function secondTurn(model: string) {
  const { base_url: baseURL, api_key: apiKey } = sluice.bootstrap;
  const sent: string[] = [];
  const told: Promise<string>[] = [];
  const recorded: typeof fetch = async (url, init) => {
    sent.push(typeof init?.body === 'string' ? init.body : '');
    const response = await fetch(url, init);
    told.push(response.clone().text());
    return response;
  };
  const provider = createOpenRouter({ baseURL, apiKey, fetch: recorded });
  const { text, totalUsage } = streamText({
    model: provider.chat(model, { extraBody: { debug: { echo_upstream_body: true } } }),
    prompt: 'call get_weather',
    maxOutputTokens: 8_000,
    providerOptions: { openrouter: { reasoning: { effort: 'low' } } },
    tools: {
      get_weather: tool({
        inputSchema: z.object({ city: z.string() }),
        execute: () => 'sunny',
      }),
    },
    stopWhen: stepCountIs(3),
  });
  equal(await text, 'The tool answered: sunny');
  ok(((await totalUsage).outputTokens ?? 0) > 0);
  equal(sent.length, 2);
  const chunks = await Promise.all(told);
  const [, first = ''] = /^data: (.*)$/m.exec(chunks[1] ?? '') ?? [];
  const { debug } = JSON.parse(first) as { debug: { echo_upstream_body: unknown } };
  const { messages } = JSON.parse(sent[1] ?? '') as { messages: readonly Message[] };
  const details = messages.find(({ role }) => role === 'assistant')?.reasoning_details ?? [];
  return { details, upstream: JSON.stringify(debug.echo_upstream_body) };
}

describe("OpenRouter's provider of the AI SDK gives thoughts back", () => {
  test.each([
    ['sim/chat', 'unknown', ''],
    ['sim/messages', 'anthropic-claude-v1', '"signature":"'],
    ['sim/gemini', 'google-gemini-v1', '"thoughtSignature":"c2ln"'],
    ['sim/echo', 'openai-responses-v1', '"encrypted_content":"'],
  ])('%s', async (model, format, replayed) => {
    const { details, upstream } = await secondTurn(model);
    ok(details.length > 0, 'no thought came back');
    deepEqual([...new Set(details.map((detail) => detail.format))], [format]);
    for (const { id } of details) ok(id.startsWith('rs_'));
    ok(upstream.includes(replayed), upstream);
    ok(!upstream.includes('skip_thought_signature_validator'), upstream);
  });
});

test('LangChain counts the usage of a stream once', async () => {
  const { base_url: baseURL, api_key: apiKey } = sluice.bootstrap;
  const client = new ChatOpenAI({ model: 'sim/chat', apiKey, configuration: { baseURL } });
  const counts = (message: object): readonly (number | undefined)[] => {
    const { usage_metadata: usage } = message as { usage_metadata?: Record<string, number> };
    return [usage?.['input_tokens'], usage?.['output_tokens']];
  };
  const whole = counts(await client.invoke('Say hello'));
  const [first, ...rest] = await Array.fromAsync(await client.stream('Say hello'));
  ok(first && whole.every((count) => count !== undefined && count > 0));
  deepEqual(counts(rest.reduce((before, chunk) => before.concat(chunk), first)), whole);
});

test.each(['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'])(
  'the AI SDK gets an object without telling its schema: %s',
  async (model) => {
    const { base_url: baseURL, api_key: apiKey } = sluice.bootstrap;
    const provider = createOpenAICompatible({ name: 'sluice', baseURL, apiKey });
    const schema = z.object({ answer: z.string() });
    const { object } = await generateObject({ model: provider(model), schema, prompt: 'hm' });
    deepEqual(object, { answer: 'You said: hm' });
  },
);
