import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Recordings, readRecordings } from './recording.ts';

async function readFiles(files: Readonly<Record<string, string | object>>): Promise<Recordings> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-recordings-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(folder, dirname(name)), { recursive: true });
      await writeFile(
        join(folder, name),
        typeof content === 'string' ? content : JSON.stringify(content),
      );
    }
    return await readRecordings(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const lines = (...events: readonly object[]) =>
  events.map((event) => JSON.stringify(event)).join('\n');

async function tell(content: string | object) {
  const { recordings, unread } = await readFiles({ 'one.json': content });
  expect(unread).toEqual([]);
  return recordings[0]?.telling;
}

const completion = (message: object, usage: object = {}) => ({
  object: 'chat.completion',
  choices: [{ index: 0, message, finish_reason: 'stop' }],
  usage,
});

test('files that are no answers are named with the reason, and the others are read', async () => {
  const { recordings, unread } = await readFiles({
    'good.json': completion({ content: 'Hello' }),
    'later/good.jsonl': lines({ candidates: [{ finishReason: 'STOP' }] }),
    'empty.json': '',
    'error.json': { error: { message: 'overloaded' } },
    'failed.jsonl': lines({ type: 'message_start' }, { type: 'error', error: { type: 'x' } }),
    'broken.json': '{"object":"chat.completion","choices":[',
    'cut.jsonl': lines({ choices: [{ delta: { content: 'Hel' } }] }),
    'odd.json': { hello: 1 },
    'folder.json/inner.md': 'ignored',
  });
  expect(recordings.map(({ name }) => name)).toEqual(['good.json', 'later/good.jsonl']);
  expect(Object.fromEntries(unread.map(({ name, reason }) => [name, reason]))).toEqual({
    'empty.json': 'it has no JSON object',
    'error.json': 'it is an error',
    'failed.jsonl': 'it is an error',
    'broken.json': 'it has no JSON object',
    'cut.jsonl': 'the answer has no end',
    'odd.json': 'no known dialect has such an answer',
    'folder.json': expect.stringContaining('EISDIR'),
  });
});

test('the content of Mistral is a list of texts and thoughts', async () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'One and one.' }] },
    { type: 'text', text: 'It is ' },
    { type: 'text', text: 'two.' },
  ];
  const told = { text: 'It is two.', thoughts: 'One and one.' };
  expect(await tell(completion({ content }))).toMatchObject(told);
  const chunks = content.map((piece) => ({
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content: [piece] }, finish_reason: null }],
  }));
  const last = { choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }] };
  expect(await tell(lines(...chunks, last))).toMatchObject(told);
});

test('xAI counts thoughts beside the output, and its total says so', async () => {
  const counts = { prompt_tokens: 32, completion_tokens: 9 };
  const completion_tokens_details = { reasoning_tokens: 5 };
  const tellOf = (total_tokens: number) =>
    tell(completion({ content: 'a' }, { ...counts, total_tokens, completion_tokens_details }));
  expect(await tellOf(46)).toMatchObject({ inputTokens: 32, outputTokens: 14 });
  expect(await tellOf(41)).toMatchObject({ inputTokens: 32, outputTokens: 9 });
});

test('calls of Gemini in pieces are one call each', async () => {
  const piece = (functionCall: object, more: object = {}) => ({
    candidates: [{ content: { parts: [{ functionCall }] }, ...more }],
  });
  const partialArgs = (...args: readonly object[]) =>
    piece({ partialArgs: args, willContinue: true });
  const events = [
    piece({ name: 'book', willContinue: true }),
    partialArgs({ jsonPath: '$.city', stringValue: 'Pa', willContinue: true }),
    partialArgs(
      { jsonPath: '$.city', stringValue: 'ris' },
      { jsonPath: "$.rooms[0]['a bed']", boolValue: true },
      { jsonPath: '$.rooms[0].beds', numberValue: 2 },
      { jsonPath: '$.rooms[1]', nullValue: null },
    ),
    piece({}),
    piece({ name: 'pay', args: { sum: 3 } }, { finishReason: 'STOP' }),
  ];
  const calls = [
    { name: 'book', arguments: '{"city":"Paris","rooms":[{"a bed":true,"beds":2},null]}' },
    { name: 'pay', arguments: '{"sum":3}' },
  ];
  expect(await tell(lines(...events))).toMatchObject({ calls });
  // The stream of a client that did not ask for server-sent events is one list.
  expect(await tell(JSON.stringify(events))).toMatchObject({ calls });
});

test('the items of a response are those of its events if the last event has none', async () => {
  const item = { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] };
  const ended = { object: 'response', status: 'completed', output: [] };
  const stream = lines(
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: ended },
  );
  expect(await tell(stream)).toMatchObject({ text: 'Hello' });
});

test('a refusal is the text, and a recording without usage has none to compare', async () => {
  const told = { text: 'I cannot help.', isCounted: false };
  expect(await tell(completion({ content: null, refusal: 'I cannot help.' }))).toMatchObject(told);
  const content = [{ type: 'refusal', refusal: 'I cannot help.' }];
  const output = [{ type: 'message', content }];
  const response = { object: 'response', status: 'completed', output };
  expect(await tell(response)).toMatchObject(told);
  const counted = completion({ content: 'a' }, { prompt_tokens: 0, completion_tokens: 0 });
  expect(await tell(counted)).toMatchObject({ isCounted: true });
});
