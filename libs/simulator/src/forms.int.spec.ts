import { equal, match, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startSimulator, type Simulator } from './index.ts';

let folder: string;
let simulator: Simulator;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulator-'));
  const receiptsFile = join(folder, 'receipts.jsonl');
  simulator = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
});
afterAll(async () => {
  await simulator.stop();
  await rm(folder, { recursive: true });
});

async function post(path: string, body: object): Promise<readonly [status: number, text: string]> {
  const response = await fetch(`${simulator.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return [response.status, await response.text()];
}

/** Checks that an answer has this JSON as its text, whatever its dialect. */
function saysJson(answer: string, value: object): void {
  const text = JSON.stringify(JSON.stringify(value));
  ok(answer.includes(text), `${text} in ${answer}`);
}

const messages = [{ role: 'user', content: 'hm' }];
const contents = [{ role: 'user', parts: [{ text: 'hm' }] }];
const model = 'echo';
const gemini = '/models/echo:generateContent';
const inWords = 'Answer with one JSON object and nothing else.';
const person = { type: 'object', properties: { name: { type: 'string' } } };

describe('a prompt that wants a JSON object gets one', () => {
  test.each<[string, object]>([
    ['/chat/completions', { model, messages, response_format: { type: 'json_object' } }],
    ['/responses', { model, input: 'hm', text: { format: { type: 'json_object' } } }],
    [gemini, { contents, generationConfig: { responseMimeType: 'application/json' } }],
    ['/messages', { model, messages, max_tokens: 100, system: inWords }],
  ])('%s', async (path, body) => {
    const [status, text] = await post(path, body);
    equal(status, 200, text);
    saysJson(text, { answer: 'You said: hm' });
  });

  test.each<[string, object]>([
    [JSON.stringify(person), { name: 'text' }],
    ['{no schema}', { answer: 'You said: hm' }],
  ])('by a schema in words: %s', async (schema, answer) => {
    const system = `Answer with nothing but a JSON value that follows this schema: ${schema}`;
    const [, text] = await post('/messages', { model, messages, max_tokens: 100, system });
    saysJson(text, answer);
  });
});

describe('a picture in a message of the model is refused', () => {
  const url = 'data:image/png;base64,aGk=';
  const illustrated = (part: object) => [
    ...messages,
    { role: 'assistant', content: [part] },
    ...messages,
  ];
  const source = { type: 'base64', media_type: 'image/png', data: 'aGk=' };
  const chatPart = { type: 'image_url', image_url: { url } };

  test.each<[string, string, object]>([
    ['chat', '/chat/completions', { model, messages: illustrated(chatPart) }],
    [
      'chat, beside the text',
      '/chat/completions',
      { model, messages: [...messages, { role: 'assistant', content: 'a', images: [chatPart] }] },
    ],
    [
      'responses',
      '/responses',
      { model, input: illustrated({ type: 'input_image', image_url: url }) },
    ],
    [
      'messages',
      '/messages',
      { model, max_tokens: 9, messages: illustrated({ type: 'image', source }) },
    ],
  ])('%s', async (_, path, body) => {
    const [status, text] = await post(path, body);
    equal(status, 400);
    match(text, /image/);
  });

  test('but Gemini takes it', async () => {
    const drawn = {
      role: 'model',
      parts: [{ inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
    };
    const [status] = await post(gemini, { contents: [...contents, drawn, ...contents] });
    equal(status, 200);
  });
});
