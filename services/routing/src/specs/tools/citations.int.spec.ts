import { deepEqual, ok } from 'node:assert/strict';
import type { Script } from '@sluice/simulator';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type RoutingHarness, routingHarness, textOf } from '../../testing/routing-harness.ts';

// The model cites pages in a text of many scripts. The places of citations are those of the text that the client has.

const address = 'http://space.corpus.example/saturn';
const label = 'שָׁלוֹם 👩‍👩‍👧‍👦 𠮷野家';
const answer = [
  `नमस्ते 🇵🇹 [${label}](${address})`,
  `e\u0301 ta\u0308t \u1112\u1161\u11ab — ${address} 😀`,
  `مَرْحَبًا [𐍈𐌰𝕏](${address})`,
].join('\n');
const shown = [`[${label}](${address})`, address, `[𐍈𐌰𝕏](${address})`];

const script: Script = ({ turns, tools: [tool] }) => {
  if (!tool || turns.some(({ role }) => role === 'tool'))
    return { parts: [{ type: 'text', name: '', text: answer }] };
  const text = JSON.stringify({ query: 'moons of Saturn' });
  return { parts: [{ type: 'tool-call', name: tool.name, text }] };
};

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({ script });
});
afterAll(() => routing.stop());

interface Annotation {
  readonly type: string;
  readonly start_index: number;
  readonly end_index: number;
}

const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];
const cases = models.flatMap((model) => [false, true].map((stream) => ({ model, stream })));
const ask = [{ role: 'user', content: 'search' }];

const eventsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>);

const cited = (text: string, annotations: readonly Annotation[]) =>
  annotations.map(({ start_index: start, end_index: end }) => text.slice(start, end));

describe('citations in a text of many scripts', () => {
  test.each(cases)('POST /responses, $model, streamed: $stream', async ({ model, stream }) => {
    const tools = [{ type: 'web_search' }];
    const sent = await textOf(await routing.call({ model, stream, input: ask, tools }));
    const events = eventsOf(sent);
    const response = stream ? events.at(-1)?.['response'] : JSON.parse(sent);
    const { output } = response as {
      output: { content?: { text: string; annotations: Annotation[] }[] }[];
    };
    const [part] = output.flatMap(({ content = [] }) => content);
    deepEqual(cited(part?.text ?? '', part?.annotations ?? []), shown);
    if (!stream) return;
    const told = events.filter(({ type }) => type === 'response.output_text.annotation.added');
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
    const text = deltas.map(({ delta }) => delta).join('');
    deepEqual(
      cited(
        text,
        told.map(({ annotation }) => annotation as Annotation),
      ),
      shown,
    );
  });

  test.each(cases)(
    'POST /chat/completions, $model, streamed: $stream',
    async ({ model, stream }) => {
      const body = { model, stream, messages: ask, tools: [{ type: 'service:web_search' }] };
      const sent = await textOf(await routing.call(body, { dialect: 'chat-completions' }));
      const choices = (
        stream ? eventsOf(sent) : [JSON.parse(sent) as Record<string, unknown>]
      ).flatMap(({ choices: all }) => all as Record<string, Message>[]);
      const messages = choices.flatMap((choice) => choice[stream ? 'delta' : 'message'] ?? []);
      const text = messages.map(({ content }) => content ?? '').join('');
      const annotations = messages.flatMap((message) => message.annotations ?? []);
      ok(text.includes(shown[0] ?? 'none'));
      deepEqual(
        cited(
          text,
          annotations.map(({ url_citation: found }) => found),
        ),
        shown,
      );
    },
  );
});

interface Message {
  readonly content?: string | null;
  readonly annotations?: readonly { readonly url_citation: Annotation }[];
}
