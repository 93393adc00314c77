import { equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { jsonHead, type Scenario, streamHead } from '../../testing/hostile-server.ts';
import {
  dialects,
  type HostileWorld,
  hostileWorld,
  patient,
  sends,
} from '../../testing/hostile-world.ts';
import { eventually, textOf } from '../../testing/routing-harness.ts';

let world: HostileWorld;
beforeAll(async () => {
  world = await hostileWorld(patient);
});
afterAll(() => world.stop());

type Dialect = (typeof dialects)[number];

const responsesUsage = { input_tokens: 5, output_tokens: 7 };
const chatUsage = { prompt_tokens: 5, completion_tokens: 7 };
const ended = { id: 'x', status: 'completed', output: [], usage: responsesUsage };
const gemini = {
  candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7 },
};
/** A whole answer, and the events of a stream, that say nothing and have seven tokens. */
const silent: Readonly<Record<Dialect, readonly [whole: object, events: readonly object[]]>> = {
  'openai-chat': [
    { choices: [{ message: { content: '' }, finish_reason: 'stop' }], usage: chatUsage },
    [
      { choices: [{ delta: { role: 'assistant', content: '' } }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }], usage: chatUsage },
    ],
  ],
  'openai-responses': [ended, [{ type: 'response.completed', response: ended }]],
  'anthropic-messages': [
    {
      type: 'message',
      content: [{ type: 'text', text: '' }],
      stop_reason: 'end_turn',
      usage: responsesUsage,
    },
    [
      { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: responsesUsage },
      { type: 'message_stop' },
    ],
  ],
  'google-gemini': [gemini, [gemini]],
};

function saysNothing(dialect: Dialect, stream: boolean): Scenario {
  const [whole, events] = silent[dialect];
  if (!stream) return sends(jsonHead, JSON.stringify(whole));
  return sends(streamHead, events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''));
}

const cases = (['responses', 'chat-completions', 'messages'] as const).flatMap((door) =>
  dialects.flatMap((dialect) =>
    [false, true].map((stream) => ({ door, dialect, stream, form: stream ? 'stream' : 'whole' })),
  ),
);

async function asked({ door, dialect, stream }: (typeof cases)[number], more: object = {}) {
  world.hostile.scenario = saysNothing(dialect, stream);
  const said = { role: 'user', content: 'hi' };
  const fields =
    door === 'responses'
      ? { input: [said], max_output_tokens: 50 }
      : { messages: [said], max_tokens: 50 };
  const body = { model: `hostile/${dialect}`, stream, ...fields, ...more };
  const reply = await world.routing.call(body, { dialect: door });
  return { status: reply.status, id: reply.headers['x-generation-id'], text: await textOf(reply) };
}

describe('an answer with tokens that says nothing', () => {
  test.for(cases)(
    'fails, and costs the customer nothing: $dialect to $door, $form',
    async (how) => {
      const { status, id, text } = await asked(how);
      equal(status, 502, text);
      const fact = await eventually(
        () => world.routing.ledger.facts.find(({ generationId }) => generationId === id),
        'the usage fact',
      );
      equal(fact.outcome, 'failed');
      equal(fact.costNanoUsd, 0n);
      equal(fact.outputTokens, 7n);
    },
  );

  test.for(cases.filter(({ door }) => door === 'messages'))(
    'fails over to another endpoint: $dialect, $form',
    async (how) => {
      const { status, text } = await asked(how, { models: ['sim/echo'] });
      equal(status, 200, text);
      ok(text.includes('sim/echo'), text);
    },
  );

  // OpenAI's responses have no stop sequences.
  test.for(
    cases.filter(
      ({ door, dialect }) => door === 'chat-completions' && dialect !== 'openai-responses',
    ),
  )('stays an answer where a stop sequence may come first: $dialect, $form', async (how) => {
    const { status, text } = await asked(how, { stop: ['\n'] });
    equal(status, 200, text);
  });
});
