import { deepEqual, equal } from 'node:assert/strict';
import { readChunks } from '@sluice/testing/chat-stream';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { routingHarness, type RoutingHarness, textOf } from '../../testing/routing-harness.ts';

let routing: RoutingHarness;
beforeAll(async () => {
  routing = await routingHarness();
});
afterAll(() => routing.stop());

interface Token {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
  readonly top_logprobs: readonly { readonly token: string }[];
}

const said = 'You said: grüß dich';
const isExpected = (tokens: readonly Token[]): void => {
  equal(tokens.map(({ token }) => token).join(''), said);
  for (const { token, logprob, bytes, top_logprobs: top } of tokens) {
    equal(logprob, -0.25);
    deepEqual(bytes, [...Buffer.from(token)]);
    deepEqual(
      top.map((each) => each.token),
      [token, `${token}1`, `${token}2`],
    );
  }
};

describe.each(['sim/echo', 'sim/chat', 'sim/gemini'])('the log probabilities of %s', (model) => {
  const responses = {
    model,
    input: 'grüß dich',
    top_logprobs: 3,
    include: ['message.output_text.logprobs'],
  };
  const chat = {
    model,
    messages: [{ role: 'user', content: 'grüß dich' }],
    logprobs: true,
    top_logprobs: 3,
  };

  test('stand in a response', async () => {
    const { output } = JSON.parse(await textOf(await routing.call(responses))) as {
      output: readonly [{ content: readonly [{ logprobs: readonly Token[] }] }];
    };
    isExpected(output[0].content[0].logprobs);
  });

  test('stand in the events of a response', async () => {
    const text = await textOf(await routing.call({ ...responses, stream: true }));
    const deltas = text.split('\n').flatMap((line) => {
      if (!line.startsWith('data: {')) return [];
      const event = JSON.parse(line.slice('data: '.length)) as {
        type: string;
        logprobs: readonly Token[];
      };
      return event.type === 'response.output_text.delta' ? event.logprobs : [];
    });
    isExpected(deltas);
  });

  test('stand in a completion', async () => {
    const text = await textOf(await routing.call(chat, { dialect: 'chat-completions' }));
    const { choices } = JSON.parse(text) as {
      choices: readonly [{ logprobs: { content: readonly Token[] } }];
    };
    isExpected(choices[0].logprobs.content);
  });

  test('stand in the chunks of a completion', async () => {
    const body = { ...chat, stream: true };
    const chunks = readChunks(
      await textOf(await routing.call(body, { dialect: 'chat-completions' })),
    );
    const tokens = chunks.flatMap(({ choices }) =>
      choices.flatMap((choice) => {
        const { logprobs } = choice as unknown as { logprobs?: { content: readonly Token[] } };
        return logprobs?.content ?? [];
      }),
    );
    isExpected(tokens);
  });
});
