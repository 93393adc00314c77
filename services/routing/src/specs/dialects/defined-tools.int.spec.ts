import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Block, messageEventsOf, user, weather } from '../../testing/messages-answers.ts';
import { routingHarness, type RoutingHarness, textOf } from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

interface Called {
  readonly blocks: readonly Block[];
  readonly reason: string | undefined;
}

const dialect = 'messages';
const assistant = (content: unknown) => ({ role: 'assistant', content });

async function whole(body: object): Promise<Called> {
  const reply = await routing.call({ max_tokens: 200, ...body }, { dialect });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  equal(reply.headers['x-service-warnings'], undefined);
  const message = JSON.parse(text) as { content: readonly Block[]; stop_reason: string };
  return { blocks: message.content, reason: message.stop_reason };
}

async function streamed(body: object): Promise<Called> {
  const reply = await routing.call({ max_tokens: 200, ...body, stream: true }, { dialect });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  const events = messageEventsOf(text);
  const blocks = events.flatMap(({ content_block: block }) => block ?? []);
  const json = events.map(({ delta }) => delta?.partial_json ?? '').join('');
  const reason = events.findLast(({ type }) => type === 'message_delta')?.delta?.stop_reason;
  const input = json === '' ? {} : (JSON.parse(json) as Record<string, unknown>);
  return { blocks: blocks.map((block) => ({ ...block, input })), reason };
}

const definedTools = [
  { type: 'bash_20241022', name: 'bash' },
  { type: 'bash_20250124', name: 'bash' },
  { type: 'text_editor_20241022', name: 'str_replace_editor' },
  { type: 'text_editor_20250124', name: 'str_replace_editor' },
  { type: 'text_editor_20250429', name: 'str_replace_based_edit_tool' },
  { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 10_000 },
  { type: 'memory_20250818', name: 'memory', cache_control: { type: 'ephemeral' } },
];
/** The models of all other dialects. */
const models = ['sim/echo', 'sim/chat', 'sim/gemini'];
const cells = models.flatMap((model) => definedTools.map((tool) => ({ model, ...tool, tool })));

describe.each(cells)('$type for $model', ({ model, name, tool }) => {
  test.each([
    ['whole', whole],
    ['streamed', streamed],
  ])('is called by its name, %s', async (_, ask) => {
    for (const choice of [{}, { tool_choice: { type: 'tool', name } }]) {
      const body = { model, tools: [tool, weather], ...choice };
      const { blocks, reason } = await ask({ ...body, messages: [user(`call ${name}`)] });
      const [call] = blocks.filter(({ type }) => type === 'tool_use');
      deepEqual([call?.name, reason], [name, 'tool_use']);
      ok('command' in (call?.input ?? {}), JSON.stringify(call));
    }
  });

  test('has its calls and results in the history', async () => {
    const call = { type: 'tool_use', id: 'toolu_1', name, input: { command: 'view', path: '/a' } };
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'forty-two' };
    const messages = [user(`call ${name}`), assistant([call]), user([result])];
    const { blocks } = await whole({ model, tools: [tool], messages });
    deepEqual(
      blocks.map(({ text }) => text),
      ['The tool answered: forty-two'],
    );
  });
});

describe.each(models)('the computer for %s', (model) => {
  const computer = {
    type: 'computer_20250124',
    name: 'computer',
    display_width_px: 800,
    display_height_px: 600,
  };
  const body = { model, max_tokens: 50, messages: [user('hi')] };

  test('is left out with a warning, or refused if there is no other tool', async () => {
    const beside = await routing.call({ ...body, tools: [computer, weather] }, { dialect });
    equal(beside.headers['x-service-warnings'], 'tool computer_20250124 left out');
    const alone = await routing.call({ ...body, tools: [computer] }, { dialect });
    const text = await textOf(alone);
    equal(alone.status, 404, text);
    ok(text.includes('tool'), text);
  });
});
