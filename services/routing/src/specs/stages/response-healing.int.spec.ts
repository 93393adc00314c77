import { deepEqual, equal, ok } from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { doors } from '../../testing/doors.ts';
import {
  type RoutingHarness,
  routingHarness,
  somebody,
  textOf,
} from '../../testing/routing-harness.ts';

const person = { name: 'Ada', tags: ['math'] };
const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
  required: ['name', 'tags'],
  additionalProperties: false,
};
const damaged = `Sure:\n\`\`\`json\n{name: "Ada", "tags": ["math",]}\n\`\`\``;

let said = damaged;
let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness({
    script: () => ({ parts: [{ type: 'text', name: '', text: said }] }),
  });
});
afterAll(() => routing.stop());
afterEach(() => {
  said = damaged;
  routing.policies.defaultPlugins = [];
});

type Format = 'schema' | 'object' | 'text';
/** The fields that ask for JSON at each door. Anthropic's API has no object without a schema. */
const formats: Readonly<Record<string, (format: Format) => object>> = {
  responses: (format) => ({
    text: {
      format:
        format === 'schema'
          ? { type: 'json_schema', name: 'person', schema }
          : { type: format === 'object' ? 'json_object' : 'text' },
    },
  }),
  'chat-completions': (format) => ({
    response_format:
      format === 'schema'
        ? { type: 'json_schema', json_schema: { name: 'person', schema } }
        : { type: format === 'object' ? 'json_object' : 'text' },
  }),
  messages: (format) =>
    format === 'schema' ? { output_config: { format: { type: 'json_schema', schema } } } : {},
};
const plugins = [{ id: 'response-healing' }];
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];

interface Answer {
  readonly output?: readonly { readonly content?: readonly { readonly text: string }[] }[];
  readonly choices?: readonly { readonly message: { readonly content: string } }[];
  readonly content?: readonly { readonly text?: string }[];
  readonly service_metadata: { readonly pipeline?: readonly object[] };
}

async function ask(door: (typeof doors)[number], fields: object, workspaceId = 'workspace') {
  const { dialect, asks } = door;
  const principal = { ...somebody, workspaceId };
  const body = { model: 'sim/echo', ...asks('Say JSON'), ...fields };
  const reply = await routing.call(body, { dialect, principal, client: { wantsMetadata: true } });
  const text = await textOf(reply);
  equal(reply.status, 200, text);
  return text;
}

function readAnswer(text: string) {
  const answer = JSON.parse(text) as Answer;
  const said =
    answer.output?.flatMap(({ content = [] }) => content)[0]?.text ??
    answer.choices?.[0]?.message.content ??
    answer.content?.find((block) => block.text !== undefined)?.text ??
    '';
  return { said, pipeline: answer.service_metadata.pipeline };
}

const asked = async (...given: Parameters<typeof ask>) => readAnswer(await ask(...given));

describe.each(doors)('an answer of JSON at $dialect', (door) => {
  const format = formats[door.dialect];
  ok(format);

  test.each(models)('is repaired: %s', async (model) => {
    const answer = await asked(door, { model, ...format('schema'), plugins });
    deepEqual(JSON.parse(answer.said), person);
    deepEqual(answer.pipeline, [
      {
        type: 'response_healing',
        name: 'response-healing',
        summary: 'repaired',
        data: {
          mode: 'json_schema',
          improved: true,
          original_length: damaged.length,
          healed_length: answer.said.length,
        },
      },
    ]);
  });

  test('stays as it is without the plugin, or if it is off', async () => {
    for (const more of [{}, { plugins: [{ id: 'response-healing', enabled: false }] }]) {
      const answer = await asked(door, { ...format('schema'), ...more });
      deepEqual(answer, { said: damaged, pipeline: undefined });
    }
  });

  test('is repaired by the default of the workspace', async () => {
    routing.policies.defaultPlugins = plugins;
    const answer = await asked(door, format('schema'), `healing-${door.dialect}`);
    deepEqual(JSON.parse(answer.said), person);
  });

  test('stays as it is if it was cut', async () => {
    const limit = { max_output_tokens: 16, max_completion_tokens: 16, max_tokens: 16 };
    said = `{"name": "Ada", "tags": [${'"a", '.repeat(200)}`;
    const one = Object.keys(door.asks('')).find((name) => name in limit) ?? '';
    const answer = await asked(door, { ...format('schema'), plugins, [one]: 16 });
    ok(said.startsWith(answer.said));
    equal(answer.pipeline, undefined);
  });

  test('stays as it is, and is told, if it cannot be repaired', async () => {
    said = 'I am sorry, I cannot {do} that.';
    const answer = await asked(door, { ...format('schema'), plugins });
    equal(answer.said, said);
    deepEqual(
      answer.pipeline?.map((stage) => 'summary' in stage && stage.summary),
      ['left as it was'],
    );
  });

  test('stays as it is if it is JSON', async () => {
    said = JSON.stringify(person, undefined, 2);
    const answer = await asked(door, { ...format('schema'), plugins });
    deepEqual(answer, { said, pipeline: undefined });
  });

  test('stays as it comes in a stream', async () => {
    const text = await ask(door, { ...format('schema'), plugins, stream: true });
    ok(!text.includes('response_healing'));
  });
});

test('an answer of any object is repaired', async () => {
  for (const door of doors.filter(({ dialect }) => dialect !== 'messages')) {
    const format = formats[door.dialect];
    ok(format);
    const answer = await asked(door, { ...format('object'), plugins });
    deepEqual(JSON.parse(answer.said), person);
    const plain = await asked(door, { ...format('text'), plugins });
    deepEqual(plain, { said: damaged, pipeline: undefined });
  }
});
