import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { createOpenAI } from '@ai-sdk/openai';
import { checkedFetch } from '@sluice/testing/response-stream';
import {
  APICallError,
  generateObject,
  generateText,
  type ModelMessage,
  Output,
  stepCountIs,
  streamObject,
  streamText,
  tool,
} from 'ai';
import { beforeAll, describe, test } from 'vitest';
import { z } from 'zod';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;
let provider: ReturnType<typeof createOpenAI>;

beforeAll(async () => {
  sluice = await sharedInstance();
  const { base_url: baseURL, api_key: apiKey } = sluice.bootstrap;
  provider = createOpenAI({ baseURL, apiKey, fetch: checkedFetch });
});

const tools = {
  get_weather: tool({
    description: 'The weather of a city',
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => `sunny in ${city}`,
  }),
  get_time: tool({ inputSchema: z.object({}), execute: () => 'noon' }),
};
const person = z.object({ name: z.string(), age: z.number().int() });
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const once = { maxRetries: 0 };
/** Nothing is stored here. With this option the SDK sends earlier turns themselves and no references to them. */
const unstored = { openai: { store: false } };

describe.each(['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'])(
  'the AI SDK with %s',
  (name) => {
    const model = () => provider.responses(name);

    test('searches the web with the tool of the provider, streamed and whole', async () => {
      const asked = {
        ...once,
        model: model(),
        prompt: 'Please call service_web_search',
        tools: { web_search: provider.tools.webSearch({}) },
      };
      const whole = await generateText(asked);
      const streamed = streamText(asked);
      match(await streamed.text, /The tool answered/);
      match(whole.text, /The tool answered/);
      for (const results of [whole.toolResults, await streamed.toolResults])
        deepEqual(
          results.map(({ toolName, providerExecuted }) => [toolName, providerExecuted]),
          [['web_search', true]],
        );
    });

    test('generates a text with its usage', async () => {
      const { text, finishReason, usage, response, warnings } = await generateText({
        ...once,
        model: model(),
        instructions: 'Be brief.',
        prompt: 'Hello, Sluice',
      });
      equal(text, 'You said: Hello, Sluice');
      equal(finishReason, 'stop');
      ok((usage.inputTokens ?? 0) > 0 && (usage.outputTokens ?? 0) > 0);
      match(response.id, /^resp_/);
      equal(response.modelId, name);
      deepEqual(warnings, []);
    });

    test('streams a text whose pieces are the whole', async () => {
      const result = streamText({ ...once, model: model(), prompt: 'One two three' });
      const pieces: string[] = [];
      for await (const piece of result.textStream) pieces.push(piece);
      ok(pieces.length > 1);
      equal(pieces.join(''), 'You said: One two three');
      equal(await result.finishReason, 'stop');
      ok(((await result.usage).outputTokens ?? 0) > 0);
    });

    test('runs tools in a loop, several at once, whole and streamed', async () => {
      const asked = {
        ...once,
        model: model(),
        tools,
        prompt: 'Please call get_weather and call get_time',
        stopWhen: stepCountIs(4),
        providerOptions: unstored,
      };
      const whole = await generateText(asked);
      const result = streamText(asked);
      await result.consumeStream();
      const both = [
        [whole.steps, whole.text],
        [await result.steps, await result.text],
      ] as const;
      for (const [steps, text] of both) {
        deepEqual(
          steps[0]?.toolResults.map(({ toolName, output }) => [toolName, output]),
          [
            ['get_weather', 'sunny in text'],
            ['get_time', 'noon'],
          ],
        );
        equal(steps.length, 2);
        equal(text, 'The tool answered: noon');
      }
    });

    test('runs a tool while it thinks: the thoughts go back with the call', async () => {
      const { steps, text } = await generateText({
        ...once,
        model: model(),
        tools,
        prompt: 'Please call get_time',
        stopWhen: stepCountIs(4),
        maxOutputTokens: 8_000,
        providerOptions: {
          openai: {
            reasoningEffort: 'high',
            forceReasoning: true,
            store: false,
            include: ['reasoning.encrypted_content'],
          },
        },
      });
      equal(steps.length, 2);
      equal(text, 'The tool answered: noon');
      ok(steps.every(({ reasoning }) => reasoning.length > 0));
    });

    test('generates an object of a schema', async () => {
      const { object } = await generateObject({
        ...once,
        model: model(),
        schema: person,
        prompt: 'Invent somebody',
      });
      equal(object.name, 'text');
      const { output } = await generateText({
        ...once,
        model: model(),
        output: Output.object({ schema: person }),
        prompt: 'Invent somebody',
      });
      deepEqual(output, object);
    });

    test('streams an object of a schema', async () => {
      const result = streamObject({
        ...once,
        model: model(),
        schema: person,
        prompt: 'Invent somebody',
      });
      const partials: unknown[] = [];
      for await (const partial of result.partialObjectStream) partials.push(partial);
      const object = await result.object;
      deepEqual(partials.at(-1), object);
      equal(object.name, 'text');
    });

    test('takes pictures and files', async () => {
      const messages: ModelMessage[] = [
        {
          role: 'user',
          content: [
            { type: 'file', data: png, mediaType: 'image/png' },
            {
              type: 'file',
              data: Buffer.from('%PDF-1.4'),
              mediaType: 'application/pdf',
              filename: 'a.pdf',
            },
            { type: 'text', text: 'What is it?' },
          ],
        },
      ];
      const { text, usage } = await generateText({ ...once, model: model(), messages });
      match(text, /What is it\?$/);
      ok((usage.inputTokens ?? 0) > 100);
    });

    test('tells thoughts apart from text', async () => {
      const result = streamText({
        ...once,
        model: model(),
        prompt: 'hm',
        maxOutputTokens: 8_000,
        providerOptions: { openai: { reasoningEffort: 'high', forceReasoning: true } },
      });
      await result.consumeStream();
      equal(await result.text, 'You said: hm');
      ok(((await result.usage).outputTokenDetails.reasoningTokens ?? 0) >= 0);
    });

    test('is stopped by the output limit', async () => {
      const { finishReason } = await generateText({
        ...once,
        model: model(),
        prompt: '[sim:words-200]',
        maxOutputTokens: 16,
      });
      equal(finishReason, 'length');
    });
  },
);

test('an error is an APICallError with its status, and says whether to try again', async () => {
  const ask = (prompt: string, apiKey = sluice.bootstrap.api_key) =>
    generateText({
      ...once,
      model: createOpenAI({
        baseURL: sluice.bootstrap.base_url,
        apiKey,
        fetch: checkedFetch,
      }).responses('sim/echo'),
      prompt,
    }).then(
      () => undefined,
      (error: unknown) => error,
    );
  for (const [prompt, key, status, isRetryable] of [
    ['x', 'none', 401, false],
    ['[sim:error-429]', undefined, 429, true],
    ['[sim:error-503]', undefined, 503, true],
  ] as const) {
    const error = await ask(prompt, key);
    ok(APICallError.isInstance(error), String(error));
    deepEqual([error.statusCode, error.isRetryable], [status, isRetryable]);
    ok(error.message.length > 0);
  }
});

test('a stream that is cut upstream ends in an error, after what was said', async () => {
  const result = streamText({
    ...once,
    model: provider.responses('sim/echo'),
    prompt: '[sim:words-50] [sim:cut-5]',
    onError: () => {},
  });
  const types: string[] = [];
  for await (const { type } of result.fullStream) types.push(type);
  ok(types.includes('text-delta') && types.includes('error'), types.join());
});

test('an aborted generation is an AbortError', async () => {
  await rejects(
    generateText({
      ...once,
      model: provider.responses('sim/echo'),
      prompt: '[sim:hang]',
      abortSignal: AbortSignal.timeout(200),
    }),
    { name: /Abort|Timeout/ },
  );
});
