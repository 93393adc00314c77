import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { checkedFetch } from '@sluice/testing/response-stream';
import OpenAI from 'openai';
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import { beforeAll, describe, test } from 'vitest';
import { z } from 'zod';
import { eventually, json } from './http.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;
let client: OpenAI;

beforeAll(async () => {
  sluice = await sharedInstance();
  client = new OpenAI({
    baseURL: sluice.bootstrap.base_url,
    apiKey: sluice.bootstrap.api_key,
    fetch: checkedFetch,
    maxRetries: 0,
  });
});

const weather = zodResponsesFunction({
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: z.object({ city: z.string() }),
});
const clock = zodResponsesFunction({ name: 'get_time', parameters: z.object({}) });
const shell: OpenAI.Responses.CustomTool = {
  type: 'custom',
  name: 'sql',
  format: { type: 'text' },
};
const person = z.object({ name: z.string(), age: z.number().int(), tags: z.array(z.string()) });

/** One pixel. */
const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const pdf = `data:application/pdf;base64,${Buffer.from('%PDF-1.4').toString('base64')}`;

/** One model for each language that we speak to providers. */
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];

describe.each(models)('the OpenAI SDK with %s', (model) => {
  test('its stream helper sees the whole of what it collects', async () => {
    const stream = client.responses.stream({ model, input: 'One two three' });
    const deltas: string[] = [];
    stream.on('response.output_text.delta', ({ delta }) => void deltas.push(delta));
    const response = await stream.finalResponse();
    equal(response.status, 'completed');
    equal(response.output_text, 'You said: One two three');
    equal(deltas.join(''), response.output_text);
    ok(response.usage && response.usage.output_tokens > 0);
  });

  test('makes parallel calls, streamed and whole, and takes the outputs back', async () => {
    const input = 'Please call get_weather and call get_time';
    const tools = [weather, clock];
    const whole = await client.responses.parse({ model, input, tools });
    const streamed = await client.responses.stream({ model, input, tools }).finalResponse();
    for (const response of [whole, streamed]) {
      const calls = response.output.filter((item) => item.type === 'function_call');
      deepEqual(
        calls.map(({ name, parsed_arguments: parsed }) => [name, parsed]),
        [
          ['get_weather', { city: 'text' }],
          ['get_time', {}],
        ],
      );
      const outputs = calls.map(({ call_id, name }) => ({
        type: 'function_call_output' as const,
        call_id,
        output: `${name} says so`,
      }));
      const items = response.output as OpenAI.Responses.ResponseInputItem[];
      const answered = await client.responses.create({
        model,
        input: [{ role: 'user', content: input }, ...items, ...outputs],
        tools,
      });
      equal(answered.output_text, 'The tool answered: get_time says so');
    }
  });

  test('searches the web, streamed and whole, and sends the search back', async () => {
    const input = 'Please call service_web_search';
    const tools: OpenAI.Responses.Tool[] = [{ type: 'web_search' }];
    const whole = await client.responses.create({ model, input, tools });
    const streamed = await client.responses.stream({ model, input, tools }).finalResponse();
    for (const response of [whole, streamed]) {
      const searches = response.output.flatMap((item) =>
        item.type === 'web_search_call' ? [item.status] : [],
      );
      deepEqual(searches, ['completed']);
      match(response.output_text, /The tool answered/);
      const items = response.output as OpenAI.Responses.ResponseInputItem[];
      const answered = await client.responses.create({
        model,
        input: [{ role: 'user', content: input }, ...items, { role: 'user', content: 'Thanks' }],
        tools,
      });
      equal(answered.output_text, 'You said: Thanks');
    }
  });

  // Google's API knows no such wish.
  test.skipIf(model === 'sim/gemini')('makes one call at a time when it is told to', async () => {
    const response = await client.responses.create({
      model,
      input: 'Please call get_weather and call get_time',
      tools: [weather, clock],
      parallel_tool_calls: false,
    });
    equal(response.output.filter(({ type }) => type === 'function_call').length, 1);
    equal(response.parallel_tool_calls, false);
  });

  test('calls a custom tool with free text, streamed and whole', async () => {
    const body = { model, input: 'Please call sql', tools: [shell] };
    const whole = await client.responses.create(body);
    const streamed = await client.responses.stream(body).finalResponse();
    for (const response of [whole, streamed]) {
      const output: readonly OpenAI.Responses.ResponseOutputItem[] = response.output;
      const call = output.find((item) => item.type === 'custom_tool_call');
      ok(call, JSON.stringify(response.output));
      equal(call.name, 'sql');
      ok(call.input.length > 0);
      const answered = await client.responses.create({
        model,
        input: [
          { role: 'user', content: 'Please call sql' },
          call,
          { type: 'custom_tool_call_output', call_id: call.call_id, output: '1 row' },
        ],
        tools: [shell],
      });
      equal(answered.output_text, 'The tool answered: 1 row');
    }
  });

  test('is forced to call the one function that is named', async () => {
    const response = await client.responses.create({
      model,
      input: 'hello',
      tools: [weather, clock],
      tool_choice: { type: 'function', name: 'get_time' },
    });
    const calls = response.output.filter((item) => item.type === 'function_call');
    deepEqual(
      calls.map(({ name }) => name),
      ['get_time'],
    );
  });

  test('answers as a zod schema says, parsed, streamed and whole', async () => {
    const body = {
      model,
      input: 'Invent somebody',
      text: { format: zodTextFormat(person, 'person') },
    };
    const whole = await client.responses.parse(body);
    const streamed = await client.responses.stream(body).finalResponse();
    for (const { output_parsed: parsed } of [whole, streamed]) {
      ok(parsed);
      deepEqual(parsed, { name: 'text', age: parsed.age, tags: ['text'] });
    }
  });

  test('takes pictures and files, inside the request and by address', async () => {
    const response = await client.responses.create({
      model,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: png, detail: 'auto' },
            { type: 'input_file', filename: 'a.pdf', file_data: pdf },
            { type: 'input_text', text: 'What is it?' },
          ],
        },
      ],
    });
    match(response.output_text, /What is it\?$/);
    ok((response.usage?.input_tokens ?? 0) > 100);
  });

  test('thinks, and its thoughts go back with the next turn', async () => {
    const thinking = {
      model,
      reasoning: { effort: 'high' as const },
      max_output_tokens: 8_000,
      include: ['reasoning.encrypted_content' as const],
    };
    const first = await client.responses.stream({ ...thinking, input: 'hm' }).finalResponse();
    const [thought] = first.output;
    equal(thought?.type, 'reasoning');
    equal(first.output.at(-1)?.type, 'message');
    const items = first.output as OpenAI.Responses.ResponseInputItem[];
    const second = await client.responses.create({
      ...thinking,
      input: [{ role: 'user', content: 'hm' }, ...items, { role: 'user', content: 'and then?' }],
    });
    equal(second.output_text, 'You said: and then?');
  });

  test('an aborted stream ends as the SDK ends it, and is billed for what was said', async () => {
    const input = '[sim:slow-10] [sim:words-100]';
    const stream = await client.responses.create({ model, input, stream: true });
    let said = 0;
    let id = '';
    for await (const event of stream) {
      if (event.type === 'response.created') id = event.response.id.replace('resp_', 'gen-');
      if (event.type === 'response.output_text.delta' && ++said === 3) stream.controller.abort();
    }
    ok(said >= 3 && said < 100, `${said} deltas`);
    const { body } = await eventually(
      () => json(sluice, `/generation?id=${id}`),
      ({ status }) => status === 200,
    );
    const tokens = Number(body['data']?.['native_tokens_completion']);
    ok(tokens >= 3 && tokens < 1_000, `${tokens} tokens`);
    ok(Number(body['data']?.['total_cost']) > 0);
  });

  test('declines in the words of a refusal or in plain text', async () => {
    const response = await client.responses.create({ model, input: '[sim:refuse] do it' });
    equal(response.status, 'completed');
    const [message] = response.output;
    ok(message?.type === 'message');
    const [part] = message.content;
    match(part?.type === 'refusal' ? part.refusal : response.output_text, /cannot help/);
  });
});

describe('the errors of the SDK', () => {
  const ask = (input: string, more: object = {}) =>
    client.responses.create({ model: 'sim/echo', input, ...more });

  test('have the class and the status of what happened', async () => {
    const keyless = new OpenAI({
      baseURL: sluice.bootstrap.base_url,
      apiKey: 'none',
      fetch: checkedFetch,
      maxRetries: 0,
    });
    const input = 'x';
    await rejects(keyless.responses.create({ model: 'sim/echo', input }), {
      name: OpenAI.AuthenticationError.prototype.name,
      status: 401,
    });
    const refused = await ask('x', { temperature: 9 }).catch((error: unknown) => error);
    ok(refused instanceof OpenAI.BadRequestError);
    equal(refused.status, 400);
    match(refused.message, /temperature: must be at most 2/);
    ok(refused.headers.get('x-request-id'));
    await rejects(ask('[sim:error-429]'), OpenAI.RateLimitError);
    await rejects(ask('[sim:error-503]'), OpenAI.InternalServerError);
    await rejects(client.models.retrieve('no/such'), OpenAI.NotFoundError);
  });

  test('that come after the first word end the stream as failed, in a way the helper reads', async () => {
    const stream = client.responses.stream({
      model: 'sim/echo',
      input: '[sim:words-50] [sim:cut-5]',
    });
    const types: string[] = [];
    stream.on('event', ({ type }) => void types.push(type));
    const outcome = await stream.finalResponse().catch((error: unknown) => error);
    ok(types.includes('response.failed'), types.join());
    ok(
      outcome instanceof Error || (outcome as { status?: string }).status === 'failed',
      JSON.stringify(outcome),
    );
  });

  test('say that the time of the client is up', async () => {
    await rejects(
      client.responses.create({ model: 'sim/echo', input: '[sim:hang]' }, { timeout: 300 }),
      OpenAI.APIConnectionTimeoutError,
    );
  });
});

test('the SDK lists the models, and retrieves each', async () => {
  const ids: string[] = [];
  for await (const listed of client.models.list()) {
    const { id, created, object, owned_by: owner } = listed;
    ok(created > 0);
    deepEqual([object, owner], ['model', id.split('/')[0]]);
    deepEqual(await client.models.retrieve(id), listed);
    ids.push(id);
  }
  for (const model of models) ok(ids.includes(model), `${model} in ${ids.join()}`);
});

describe.each(['sim/embedding', 'sim/gemini-embedding'])('vectors of %s', (model) => {
  const input = ['One two three', 'four'];

  test('are numbers for the SDK, which asks for base64, and are accounted for', async () => {
    const { data: page, response } = await client.embeddings
      .create({ model, input, dimensions: 8 })
      .withResponse();
    const { data, usage, object } = page;
    const vectors = data.map(({ embedding }) => [...embedding]);
    deepEqual([object, vectors.length, vectors[0]?.length], ['list', 2, 8]);
    deepEqual([usage.prompt_tokens, usage.total_tokens], [5, 5]);
    const plain = { model, input, dimensions: 8, encoding_format: 'float' } as const;
    const numbers = (await client.embeddings.create(plain)).data;
    deepEqual(
      numbers.map(({ embedding }) => embedding),
      vectors,
    );
    const id = response.headers.get('x-generation-id') ?? '';
    const { body } = await eventually(
      () => json(sluice, `/generation?id=${id}`),
      ({ status }) => status === 200,
    );
    const generation = body['data'];
    deepEqual(
      [generation?.['api_type'], generation?.['native_tokens_prompt'], generation?.['usage']],
      ['embeddings', 5, 0.000_005],
    );
  });

  test('are refused as the SDK knows it', async () => {
    await rejects(client.embeddings.create({ model, input: '' }), OpenAI.BadRequestError);
    const limited = { model: `${model}-sim-error-429`, input };
    await rejects(client.embeddings.create(limited), OpenAI.RateLimitError);
    const stranger = client.withOptions({ apiKey: 'sk-unknown' });
    await rejects(stranger.embeddings.create({ model, input }), OpenAI.AuthenticationError);
  });
});
