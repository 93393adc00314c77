import { deepEqual, equal } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { jsonHead } from '../../testing/hostile-server.ts';
import { type HostileWorld, hostileWorld, patient, sends } from '../../testing/hostile-world.ts';
import { eventually, textOf } from '../../testing/routing-harness.ts';

let world: HostileWorld;
beforeAll(async () => {
  world = await hostileWorld(patient);
});
afterAll(() => world.stop());

/** The provider says a text, and then a call whose arguments are no JSON. */
const broken = {
  id: 'x',
  choices: [
    {
      message: {
        content: 'I look.',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{"a":' } }],
      },
      finish_reason: 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 5, completion_tokens: 7 },
};

/** The provider says a text, and that it failed. */
const gaveUp = {
  ...broken,
  choices: [{ message: { content: 'I look.' }, finish_reason: 'error' }],
};

async function asked(dialect: 'messages' | 'chat-completions', said: object = broken) {
  world.hostile.scenario = sends(jsonHead, JSON.stringify(said));
  const body = {
    model: 'hostile/openai-chat',
    max_tokens: 50,
    messages: [{ role: 'user', content: 'hi' }],
  };
  const reply = await world.routing.call(body, { dialect });
  const generationId = reply.headers['x-generation-id'];
  const answer = JSON.parse(await textOf(reply)) as Readonly<Record<string, unknown>>;
  const isIts = (fact: { readonly generationId: string }) => fact.generationId === generationId;
  await eventually(() => world.routing.ledger.facts.find(isIts), 'the usage fact');
  const facts = world.routing.ledger.facts.filter(isIts);
  return { status: reply.status, answer, generationId, facts };
}

describe('a whole answer with a call whose arguments are no JSON', () => {
  test('is an error for a client of Anthropic, and what was served is in the books once', async () => {
    const { status, answer, generationId, facts } = await asked('messages');
    equal(status, 502);
    deepEqual(answer, {
      type: 'error',
      error: {
        type: 'api_error',
        message: 'The answer of the provider is malformed',
        error_type: 'provider_unavailable',
      },
      request_id: generationId,
    });
    deepEqual(
      facts.map(({ outcome, inputTokens, outputTokens }) => [outcome, inputTokens, outputTokens]),
      [['failed', 5n, 7n]],
    );
  });

  test('is an error for a client of chat completions: another endpoint could have answered', async () => {
    const { status, answer, facts } = await asked('chat-completions');
    equal(status, 502);
    deepEqual(answer, {
      error: {
        code: 502,
        message: 'The answer of the provider is malformed',
        metadata: { error_type: 'provider_unavailable' },
      },
    });
    equal(facts.length, 1);
  });
});

test('a whole answer that its provider gave up is the error with what was said for a client of chat completions', async () => {
  const { status, answer, facts } = await asked('chat-completions', gaveUp);
  equal(status, 502);
  deepEqual(answer['error'], {
    code: 502,
    message: 'The provider gave the answer up',
    metadata: { error_type: 'provider_unavailable', provider_code: 'error' },
  });
  const [choice] = answer['choices'] as readonly { readonly finish_reason: string }[];
  equal(choice?.finish_reason, 'error');
  equal(facts.length, 1);
});
