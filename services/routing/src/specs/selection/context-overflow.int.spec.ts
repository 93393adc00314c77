import { deepEqual, equal, match } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { doors } from '../../testing/doors.ts';
import { head, streamHead } from '../../testing/hostile-server.ts';
import {
  dialects,
  hostileWorld,
  patient,
  sends,
  type HostileWorld,
} from '../../testing/hostile-world.ts';
import { eventsOf, textOf } from '../../testing/routing-harness.ts';

let world: HostileWorld;
let early: HostileWorld;
beforeAll(async () => {
  world = await hostileWorld(patient);
  // Sends the status before the provider has answered.
  early = await hostileWorld(patient, { statusHeldMs: 1 });
});
afterAll(async () => {
  await world.stop();
  await early.stop();
});

const message = 'the request exceeds the available context size. try increasing the context size';
const error = {
  code: 500,
  message,
  type: 'exceed_context_size_error',
  n_prompt_tokens: 1407,
  n_ctx: 256,
};
const cases = doors.flatMap((door) =>
  dialects.flatMap((model) => [true, false].map((stream) => ({ door, model, stream }))),
);

describe('a provider that says that the request does not fit', () => {
  test.each(cases.flatMap((one) => [400, 413, 422, 500].map((status) => ({ ...one, status }))))(
    'with status $status at $door.dialect, from $model, stream $stream, is told so',
    async ({ door, model, stream, status }) => {
      const type = { 'content-type': 'application/json' };
      world.hostile.scenario = sends(head(status, type) + JSON.stringify({ error }));
      const { dialect, asks } = door;
      const reply = await world.routing.call(
        { model: `hostile/${model}`, ...asks('hi'), stream },
        { dialect },
      );
      equal(reply.status, 400);
      const { error: told } = JSON.parse(await textOf(reply)) as {
        readonly error: {
          readonly message: string;
          readonly error_type?: string;
          readonly metadata?: { readonly error_type: string };
        };
      };
      equal(told.error_type ?? told.metadata?.error_type, 'context_length_exceeded');
      match(told.message, /1407 tokens > 256 maximum/);
      if (dialect === 'messages')
        match(told.message, /^prompt is too long: 1407 tokens > 256 maximum \(/);
    },
  );

  test.each(dialects)(
    'in a stream of %s that begins with the failure is told so',
    async (model) => {
      const body = `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`;
      world.hostile.scenario = sends(streamHead + body);
      const ask = { model: `hostile/${model}`, input: 'hi', stream: true };
      const reply = await world.routing.call(ask);
      equal(reply.status, 400);
      match(await textOf(reply), /"error_type":"context_length_exceeded"/);
    },
  );

  test.each([
    ['codex_exec/0.169.0', 'context_length_exceeded'],
    ['other/1', 'invalid_prompt'],
  ])('after the status was sent to %s has the code %s', async (userAgent, code) => {
    early.hostile.scenario = (socket) => {
      // Until the client has its first event, which comes with the status.
      begun.then(
        () => sends(head(400) + JSON.stringify({ error }))(socket),
        () => {},
      );
    };
    const opened = Promise.withResolvers<undefined>();
    const begun = opened.promise;
    const ask = { model: 'hostile/openai-chat', input: 'hi', stream: true };
    const reply = await early.routing.call(ask, { client: { userAgent } });
    equal(reply.status, 200);
    opened.resolve(undefined);
    const last = (await eventsOf(reply)).at(-1) as unknown as {
      readonly response: { readonly error: { readonly code: string }; readonly error_type: string };
    };
    deepEqual(
      [last.response.error.code, last.response.error_type],
      [code, 'context_length_exceeded'],
    );
  });
});
