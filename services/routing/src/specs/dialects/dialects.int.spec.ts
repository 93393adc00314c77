import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { ClientDialectName } from '@sluice/inference-port';
import { type Door, doors } from '../../testing/doors.ts';
import { receiptOf } from '../../testing/receipt-of.ts';
import {
  eventsOf,
  responseOf,
  routingHarness,
  textOf,
  type RoutingHarness,
} from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

type Output = readonly Readonly<Record<string, unknown>>[];

async function whole(body: object) {
  const reply = await routing.call(body);
  const response = (await responseOf(reply)) as unknown as {
    readonly status: string;
    readonly output: Output;
    readonly output_text: string;
    readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
  };
  equal(reply.status, 200, JSON.stringify(response));
  return { ...response, generationId: reply.headers['x-generation-id'] ?? '' };
}

async function streamed(body: object) {
  const events = await eventsOf(await routing.call({ ...body, stream: true }));
  const last = events.at(-1) as { readonly response?: { readonly output: Output } } | undefined;
  ok(last?.response);
  return last.response;
}

/** Ids are of the generation: no two answers share them. */
function withoutIds(output: Output): Output {
  return output.map(({ id: _id, call_id: _callId, ...rest }) => rest);
}

/** The end of a stream that broke after its first output. */
const brokenEnds: Readonly<Partial<Record<ClientDialectName, RegExp>>> = {
  responses:
    /"type":"response\.failed".+"error_type":"provider_unavailable".*\n\ndata: \[DONE\]\n\n$/,
  'chat-completions':
    /\n\ndata: \{[^\n]*"finish_reason":"error"[^\n]*\}\n\ndata: \{[^\n]*"choices":\[\],[^\n]*\}\n\ndata: \{"error":\{"code":502,[^\n]*\}\n\ndata: \[DONE\]\n\n$/,
  messages:
    /\n\nevent: error\ndata: \{"type":"error","error":\{"type":"api_error",[^\n]*"error_type":"provider_unavailable"\}[^\n]*\}\n\n$/,
};

/** Reads a stream that breaks after some output. Its end says so, and one fact says that its client pays nothing. */
async function brokenStream({ dialect, asks }: Door, model: string, text: string) {
  const options = { dialect, client: { wantsMetadata: true } } as const;
  const reply = await routing.call({ model, ...asks(text), stream: true }, options);
  equal(reply.status, 200);
  const said = await textOf(reply);
  const [before, ...after] = said.split('"service_metadata":{"requested":');
  equal(after.length, 1);
  // The error of a chat stream stands alone, after the event with the metadata.
  const events = said.replace(/\n\ndata: \{"error":[^\n]*/, '');
  ok((before?.lastIndexOf('data: {') ?? 0) >= events.lastIndexOf('data: {'));
  match(said, /You|said/);
  match(said, brokenEnds[dialect] ?? /never/);
  const id = reply.headers['x-generation-id'] ?? '';
  const receipt = await receiptOf(routing, id);
  const facts = routing.ledger.facts.filter(({ generationId }) => generationId === id);
  const [fact] = facts;
  ok(fact);
  deepEqual([facts.length, fact.outcome, fact.costNanoUsd], [1, 'failed', 0n]);
  return { fact, receipt };
}

const weather = {
  type: 'function',
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};
const picture = { type: 'input_image', image_url: 'data:image/png;base64,aGk=' };

describe.each(['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'])('%s', (model) => {
  test.each<[string, object]>([
    ['a text', { input: 'hello there' }],
    ['a call of a tool', { input: 'call get_weather', tools: [weather] }],
    ['thoughts', { input: 'hm', reasoning: { effort: 'high' }, max_output_tokens: 4_000 }],
    [
      'thoughts as summaries',
      { input: 'hm', reasoning: { effort: 'high', summary: 'auto' }, max_output_tokens: 4_000 },
    ],
    [
      'a picture',
      { input: [{ role: 'user', content: [picture, { type: 'input_text', text: 'what?' }] }] },
    ],
  ])('says the same streamed and whole: %s', async (_what, fields) => {
    const body = { model, ...fields };
    const answer = await whole(body);
    deepEqual(withoutIds((await streamed(body)).output), withoutIds(answer.output));
    equal(answer.status, 'completed');
    const receipt = await receiptOf(routing, answer.generationId);
    deepEqual(
      [answer.usage.input_tokens, answer.usage.output_tokens],
      [receipt.input_tokens, receipt.output_tokens],
    );
  });

  test('puts thoughts where a client asked for them', async () => {
    const fields = { model, input: 'hm', max_output_tokens: 4_000 };
    for (const answer of [whole, streamed]) {
      const asked = { ...fields, reasoning: { effort: 'high', summary: 'auto' } };
      const thought = (await answer(asked)).output.find(({ type }) => type === 'reasoning');
      ok(thought);
      const { summary, content } = thought as { summary: { text: string }[]; content: object[] };
      ok(summary.map(({ text }) => text).join('') !== '', 'there is no summary');
      deepEqual(content, []);
    }
  });

  test('takes a tool back: its answer reaches the model, with the thoughts before it', async () => {
    const first = await whole({
      model,
      input: 'call get_weather',
      tools: [weather],
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low' },
      max_output_tokens: 8_000,
    });
    const called = first.output.find(({ type }) => type === 'function_call');
    equal(called?.['name'], 'get_weather');
    deepEqual(JSON.parse(String(called['arguments'])), { city: 'text' });
    const answered = { type: 'function_call_output', call_id: called['call_id'], output: 'sunny' };
    const input = [{ role: 'user', content: 'call get_weather' }, ...first.output, answered];
    const second = await whole({ model, input, tools: [weather] });
    equal(second.output_text, 'The tool answered: sunny');
  });

  test('thinks on with thoughts of which its client has kept nothing but what is sealed', async () => {
    const asked = {
      model,
      tools: [weather],
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low' },
      max_output_tokens: 8_000,
    };
    const first = await whole({ ...asked, input: 'call get_weather' });
    const called = first.output.find(({ type }) => type === 'function_call');
    const kept = first.output.map(({ type, id, encrypted_content, ...rest }) =>
      type === 'reasoning' ? { type, id, encrypted_content, summary: [] } : { type, id, ...rest },
    );
    const answered = {
      type: 'function_call_output',
      call_id: called?.['call_id'],
      output: 'sunny',
    };
    const input = [{ role: 'user', content: 'call get_weather' }, ...kept, answered];
    const second = await whole({ ...asked, input });
    equal(second.output_text, 'The tool answered: sunny');
    equal(second.output[0]?.['type'], 'reasoning');
  });

  test('answers in the form that it is asked for', async () => {
    const schema = { type: 'object', properties: { answer: { type: 'integer' } } };
    const format = { type: 'json_schema', name: 'answer', schema, strict: true };
    const { output_text: text } = await whole({ model, input: 'a number', text: { format } });
    deepEqual(JSON.parse(text), { answer: 1 });
  });

  test('is cut by the limit, and says so', async () => {
    const cut = await whole({ model, input: 'one two three four five six', max_output_tokens: 2 });
    equal(cut.status, 'incomplete');
    equal(cut.usage.output_tokens, 2);
    equal(cut.output[0]?.['status'], 'incomplete');
  });

  test.each([429, 500, 503])('that answers %s is an error of the provider', async (status) => {
    const reply = await routing.call({ model, input: `[sim:error-${String(status)}]` });
    ok(reply.status === 429 || reply.status >= 500, String(reply.status));
  });

  test.each(doors)(
    'that is cut in the middle of a stream of $dialect ends it as failed, and what was served costs the operator',
    async (door) => {
      const { fact, receipt } = await brokenStream(door, model, '[sim:cut-2] one two three');
      equal(receipt.outcome, 'cut');
      const { upstreamCostNanoUsd = 0n, holdNanoUsd } = fact;
      ok(upstreamCostNanoUsd > 0n && upstreamCostNanoUsd <= holdNanoUsd);
      equal(fact.outputTokens, BigInt(receipt.output_tokens));
    },
  );

  test.each([false, true])('that thinks has its thoughts counted, stream %s', async (stream) => {
    const reply = await routing.call({ model, input: '[sim:reasoning] hello', stream });
    await textOf(reply);
    const receipt = await receiptOf(routing, reply.headers['x-generation-id'] ?? '');
    const fact = routing.ledger.facts.find(({ upstreamId }) => upstreamId === receipt.id);
    ok(receipt.reasoning_tokens > 0);
    equal(fact?.reasoningTokens, BigInt(receipt.reasoning_tokens));
    equal(fact.estimated, false);
  });

  test.each(doors)(
    'that says in the middle of a stream of $dialect that it failed ends it so',
    async (door) => {
      const { receipt } = await brokenStream(door, model, '[sim:fail-2] one two three');
      equal(receipt.outcome, 'failed');
    },
  );

  const oddForms = ['object', 'detail', 'message', 'list', 'status', 'named', 'line', 'page'];

  test.each(doors.flatMap((door) => [...oddForms, 'done'].map((form) => ({ door, form }))))(
    'that fails in the form $form in a stream of $door.dialect ends it so',
    async ({ door, form }) => {
      await brokenStream(door, model, `[sim:fail-2] [sim:as-${form}] one two three`);
    },
  );

  test.each(doors)(
    'that sends events without data in a stream of $dialect answers all the same',
    async ({ dialect, asks }) => {
      const said = async (text: string) => {
        const reply = await routing.call({ model, ...asks(text), stream: true }, { dialect });
        const id = reply.headers['x-generation-id'] ?? '';
        const all = await textOf(reply);
        return { all, receipt: await receiptOf(routing, id), id };
      };
      const { all, receipt, id } = await said('[sim:noisy] hello');
      match(all, /hello/);
      equal(receipt.outcome, 'completed');
      const fact = routing.ledger.facts.find(({ generationId }) => generationId === id);
      deepEqual([fact?.outcome, fact?.outputTokens], ['completed', BigInt(receipt.output_tokens)]);
    },
  );
});
