import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@sluice/patience';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startSimulator, type Receipt, type Simulator } from './index.ts';

let folder: string;
let simulator: Simulator;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulator-'));
  simulator = await startSimulator({
    host: '127.0.0.1',
    port: 0,
    receiptsFile: join(folder, 'books', 'receipts.jsonl'),
  });
});
afterAll(async () => {
  await simulator.stop();
  await rm(folder, { recursive: true });
});

const client = () =>
  new OpenAI({ apiKey: 'any', baseURL: simulator.url, maxRetries: 0, timeout: 5_000 });

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${simulator.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers });

async function receipts(): Promise<readonly Receipt[]> {
  const text = await readFile(join(folder, 'books', 'receipts.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Receipt);
}

async function receiptOf(id: string): Promise<Receipt | undefined> {
  return (await receipts()).find((receipt) => receipt.id === id);
}

const mebibyte = 1024 * 1024;

describe('an answer that never stops', () => {
  const question = 'go on [sim:endless]';
  const asked = [{ role: 'user', content: question }];
  const dialects: readonly (readonly [name: string, path: (stream: boolean) => string, object])[] =
    [
      ['responses', () => '/responses', { model: 'echo', input: question }],
      ['chat-completions', () => '/chat/completions', { model: 'echo', messages: asked }],
      ['messages', () => '/messages', { model: 'echo', max_tokens: 100, messages: asked }],
      [
        'generate-content',
        (stream) => `/models/echo:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
        { contents: [{ role: 'user', parts: [{ text: question }] }] },
      ],
    ];
  test.each(dialects.flatMap((dialect) => [true, false].map((stream) => ({ dialect, stream }))))(
    'is taken for as long as somebody reads it, and its receipt has what came before: $dialect.0 stream $stream',
    async ({ dialect: [name, path, body], stream }) => {
      const id = `endless-${name}-${String(stream)}`;
      const isInPath = name === 'generate-content';
      const response = await post(path(stream), isInPath ? body : { ...body, stream }, {
        'x-client-request-id': id,
      });
      equal(response.status, 200);
      let bytes = 0;
      let text = '';
      for await (const chunk of response.body ?? []) {
        if (bytes < 64 * 1024) text += Buffer.from(chunk).toString();
        bytes += chunk.byteLength;
        if (bytes > 3 * mebibyte) break;
      }
      ok(bytes > 3 * mebibyte);
      match(text, /You.{0,500}said/s);
      const receipt = await until(async () =>
        (await receipts()).find(({ client_request_id }) => client_request_id === id),
      );
      deepEqual([receipt.outcome, receipt.streamed], ['disconnected', stream]);
      ok(receipt.output_tokens > 3 && receipt.output_tokens < 50);
    },
  );
});

/** The id of a stream, read from its first event, and how the reading ended. */
async function readEvents(response: Response): Promise<{ events: object[]; cut: boolean }> {
  let text = '';
  let cut = false;
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  } catch {
    cut = true;
  }
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
  return { events: lines.map((line) => JSON.parse(line.slice(6)) as object), cut };
}

describe('responses', () => {
  test('repeats the prompt with its token counts, and the receipt agrees', async () => {
    const answer = await client().responses.create({ model: 'echo', input: 'hello' });
    equal(answer.output_text, 'You said: hello');
    deepEqual(
      [answer.usage?.input_tokens, answer.usage?.output_tokens, answer.usage?.total_tokens],
      [2, 4, 6],
    );
    const receipt = await receiptOf(answer.id);
    deepEqual(
      [receipt?.input_tokens, receipt?.output_tokens, receipt?.outcome, receipt?.streamed],
      [2, 4, 'completed', false],
    );
  });

  test('tells of a stored answer what it used, also of one whose client left', async () => {
    const answer = await client().responses.create({ model: 'echo', input: 'hello' });
    const stored = await client().responses.retrieve(answer.id);
    deepEqual([stored.status, stored.usage], ['completed', answer.usage]);
    const stream = await client().responses.create({
      model: 'echo-sim-slow-5',
      input: '[sim:words-500]',
      stream: true,
    });
    let id = '';
    for await (const event of stream) {
      if (event.type !== 'response.created') continue;
      ({ id } = event.response);
      equal((await client().responses.retrieve(id)).status, 'in_progress');
      break;
    }
    let left = await client().responses.retrieve(id);
    while (left.status === 'in_progress') left = await client().responses.retrieve(id);
    equal(left.status, 'cancelled');
    equal(left.usage?.output_tokens, (await receiptOf(id))?.output_tokens);
  });

  test('does not know an answer that was not to be stored', async () => {
    const { id } = await client().responses.create({ model: 'echo', input: 'x', store: false });
    await rejects(client().responses.retrieve(id), { status: 404 });
    const chat = { model: 'echo', messages: [{ role: 'user' as const, content: 'x' }] };
    const forgotten = await client().chat.completions.create(chat);
    await rejects(client().chat.completions.retrieve(forgotten.id), { status: 404 });
    const kept = await client().chat.completions.create({ ...chat, store: true });
    deepEqual((await client().chat.completions.retrieve(kept.id)).usage, kept.usage);
  });

  for (const [fault, expected] of [
    ['negative', [-3, -5]],
    ['absurd', [1_000_000_000_002, 1_000_000_000_004]],
    ['garbled', ['many', 4]],
  ] as const)
    test(`tells ${fault} usage when it is asked to, in both dialects, with an honest receipt`, async () => {
      const model = `echo-sim-${fault}-usage`;
      const answer = await client().responses.create({ model, input: 'hello' });
      deepEqual([answer.usage?.input_tokens, answer.usage?.output_tokens], expected);
      const messages = [{ role: 'user' as const, content: 'hello' }];
      const { usage } = await client().chat.completions.create({ model, messages });
      deepEqual([usage?.prompt_tokens, usage?.completion_tokens], expected);
      const receipt = await receiptOf(answer.id);
      deepEqual([receipt?.input_tokens, receipt?.output_tokens], [2, 4]);
    });

  test('streams the same answer in order', async () => {
    const stream = await client().responses.create({ model: 'echo', input: 'a b', stream: true });
    const types: string[] = [];
    let text = '';
    let sequenceNumber = 0;
    for await (const event of stream) {
      equal(event.sequence_number, sequenceNumber++);
      types.push(event.type);
      if (event.type === 'response.output_text.delta') text += event.delta;
      if (event.type === 'response.completed') equal(event.response.output_text ?? text, text);
    }
    equal(text, 'You said: a b');
    deepEqual(types, [
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      ...Array.from({ length: 4 }, () => 'response.output_text.delta'),
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  test('stops at the output limit and says so', async () => {
    const answer = await client().responses.create({
      model: 'echo',
      input: 'hello',
      max_output_tokens: 2,
    });
    deepEqual(
      [answer.status, answer.incomplete_details?.reason, answer.output_text],
      ['incomplete', 'max_output_tokens', 'You said'],
    );
    deepEqual(
      answer.output.map((item) => 'status' in item && item.status),
      ['incomplete'],
    );
    equal((await receiptOf(answer.id))?.outcome, 'incomplete');
  });

  test('calls a tool that the prompt names, and answers with its output', async () => {
    const tools = [
      {
        type: 'function' as const,
        name: 'get_weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
        strict: false,
      },
    ];
    const input = 'please call get_weather';
    const first = await client().responses.create({ model: 'echo', input, tools });
    const call = first.output[0];
    ok(call?.type === 'function_call');
    deepEqual([call.name, call.arguments], ['get_weather', '{"city":"text"}']);
    const second = await client().responses.create({
      model: 'echo',
      tools,
      input: [
        { role: 'user', content: input },
        call,
        { type: 'function_call_output', call_id: call.call_id, output: 'sunny' },
      ],
    });
    equal(second.output_text, 'The tool answered: sunny');
  });

  test('calls nothing when tools are forbidden', async () => {
    const answer = await client().responses.create({
      model: 'echo',
      input: 'call it',
      tool_choice: 'none',
      tools: [{ type: 'function', name: 'it', parameters: {}, strict: false }],
    });
    equal(answer.output[0]?.type, 'message');
  });

  test('counts reasoning apart', async () => {
    const answer = await client().responses.create({ model: 'echo', input: '[sim:reasoning]' });
    equal(answer.output[0]?.type, 'reasoning');
    const details = answer.usage?.output_tokens_details;
    ok((details?.reasoning_tokens ?? 0) > 0);
    equal((await receiptOf(answer.id))?.reasoning_tokens, details?.reasoning_tokens);
  });
});

describe('chat completions', () => {
  const messages = [{ role: 'user' as const, content: 'hello' }];

  test('answers with text and usage', async () => {
    const answer = await client().chat.completions.create({ model: 'echo', messages });
    equal(answer.choices[0]?.message.content, 'You said: hello');
    equal(answer.choices[0]?.finish_reason, 'stop');
    equal(answer.usage?.total_tokens, 6);
    equal((await receiptOf(answer.id))?.dialect, 'chat-completions');
  });

  test('streams usage last, and only when it is asked for', async () => {
    for (const asked of [true, false]) {
      const stream = await client().chat.completions.create({
        model: 'echo',
        messages,
        stream: true,
        stream_options: { include_usage: asked },
      });
      let text = '';
      let totalTokens: number | undefined;
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? '';
        totalTokens = chunk.usage?.total_tokens ?? totalTokens;
      }
      deepEqual([text, totalTokens], ['You said: hello', asked ? 6 : undefined]);
    }
  });

  test('streams a tool call', async () => {
    const stream = await client().chat.completions.create({
      model: 'echo',
      messages,
      stream: true,
      tools: [{ type: 'function', function: { name: 'now', parameters: {} } }],
      tool_choice: { type: 'function', function: { name: 'now' } },
    });
    let name = '';
    let args = '';
    let finish = '';
    for await (const chunk of stream) {
      const call = chunk.choices[0]?.delta.tool_calls?.[0];
      name += call?.function?.name ?? '';
      args += call?.function?.arguments ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
    }
    deepEqual([name, args, finish], ['now', '{}', 'tool_calls']);
  });

  test('stops at the output limit', async () => {
    const answer = await client().chat.completions.create({
      model: 'echo',
      messages,
      max_completion_tokens: 1,
    });
    equal(answer.choices[0]?.finish_reason, 'length');
    equal(answer.usage?.completion_tokens, 1);
  });
});

describe('trouble on request', () => {
  test('answers with the status that the model names', async () => {
    for (const status of [429, 500, 503, 529]) {
      const response = await post('/responses', { model: `sim-error-${status}`, input: 'x' });
      equal(response.status, status);
      match(await response.text(), /Simulated error/);
    }
  });

  test('takes its orders from the header and the prompt as well', async () => {
    const header = { 'x-sim-fault': 'error-503' };
    equal((await post('/responses', { model: 'echo', input: 'x' }, header)).status, 503);
    equal((await post('/responses', { model: 'echo', input: '[sim:error-418]' })).status, 418);
  });

  test('cuts a stream and writes down what had been served', async () => {
    const response = await post('/responses', { model: 'sim-cut-2', input: 'x y', stream: true });
    const { events, cut } = await readEvents(response);
    equal(cut, true);
    const created = events[0] as { response: { id: string } };
    const receipt = await receiptOf(created.response.id);
    deepEqual([receipt?.outcome, receipt?.output_tokens], ['cut', 3]);
  });

  test('cuts a body', async () => {
    await rejects(
      post('/chat/completions', {
        model: 'sim-cut-1',
        messages: [{ role: 'user', content: 'x' }],
      }).then((response) => response.text()),
    );
  });

  test('breaks in the words of the dialect', async () => {
    const response = await post('/responses', { model: 'sim-fail-1', input: 'x', stream: true });
    const { events } = await readEvents(response);
    match(JSON.stringify(events.at(-1)), /"type":"response.failed"/);
    const body = { model: 'sim-fail-1', messages: [{ role: 'user', content: 'x' }], stream: true };
    const chat = await readEvents(await post('/chat/completions', body));
    match(JSON.stringify(chat.events.at(-1)), /"error"/);
  });

  test('breaks in the words of another server, and says that it is done', async () => {
    const body = { messages: [{ role: 'user', content: 'x' }], stream: true };
    const model = 'echo-sim-fail-1-sim-as-object';
    const text = await (await post('/chat/completions', { ...body, model })).text();
    match(text, /"content":"You"[^]*data: \{"object":"error",[^]*\n\ndata: \[DONE\]\n\n$/);
    const noisy = await (await post('/chat/completions', { ...body, model: 'sim-noisy' })).text();
    match(noisy, /data:\n\ndata: null\n\n/);
    match(noisy, /"finish_reason":"stop"/);
  });

  test('writes a receipt for a client that leaves', async () => {
    const leaving = new AbortController();
    const stream = await client().responses.create(
      { model: 'sim-slow-20', input: 'one two three four five six', stream: true },
      { signal: leaving.signal },
    );
    let id = '';
    await (async () => {
      for await (const event of stream) {
        if (event.type === 'response.created') id = event.response.id;
        if (event.type === 'response.output_text.delta') leaving.abort();
      }
    })().catch(() => {});
    const receipt = await until(() => receiptOf(id), { everyMs: 1 });
    equal(receipt.outcome, 'disconnected');
    ok(receipt.output_tokens < 9);
  });

  test('never answers when told to hang', async () => {
    const hanging = fetch(`${simulator.url}/responses`, {
      method: 'POST',
      body: '{"model":"sim-hang","input":"x"}',
      signal: AbortSignal.timeout(100),
    });
    await rejects(hanging, { name: 'TimeoutError' });
  });

  test('says no to what is no request', async () => {
    equal((await post('/responses', { input: 'x' })).status, 400);
    equal((await post('/chat/completions', { model: 'echo', messages: [] })).status, 400);
    equal((await post('/speech', {})).status, 404);
    const noJson = await fetch(`${simulator.url}/responses`, { method: 'POST', body: '{' });
    equal(noJson.status, 400);
  });
});

test('lists its models', async () => {
  const models = await client().models.list();
  ok(models.data.some((model) => model.id === 'echo'));
});

describe('a count of tokens', () => {
  const messages = [{ role: 'user', content: 'hello there you' }];
  const contents = [{ role: 'user', parts: [{ text: 'hello there you' }] }];
  const request = { model: 'models/echo', contents };

  test.each([
    ['/messages/count_tokens', { model: 'echo', messages }, { input_tokens: 4 }],
    ['/models/echo:countTokens', { generateContentRequest: request }, { totalTokens: 4 }],
    ['/models/echo:countTokens', { contents }, { totalTokens: 4 }],
  ])('of %s leaves no receipt', async (path, body, told) => {
    const before = await receipts();
    const reply = await post(path, body);
    deepEqual([reply.status, await reply.json()], [200, told]);
    deepEqual(await receipts(), before);
  });

  test.each([
    ['/messages/count_tokens', { model: 'echo', messages, max_tokens: 5 }],
    ['/models/echo:countTokens', { contents, generationConfig: {} }],
    ['/models/echo:countTokens', { generateContentRequest: { contents } }],
  ])('of %s refuses what the API refuses', async (path, body) => {
    equal((await post(path, body)).status, 400);
  });
});
