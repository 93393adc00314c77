import { equal, ok } from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { callsTools } from '../../testing/called-answers.ts';
import { dialects, type HostileWorld, hostileWorld, patient } from '../../testing/hostile-world.ts';
import { textOf } from '../../testing/routing-harness.ts';

let world: HostileWorld;
beforeAll(async () => {
  world = await hostileWorld(patient);
});
afterAll(() => world.stop());

const doors = ['responses', 'chat-completions', 'messages'] as const;
const cases = doors.flatMap((door) =>
  dialects.flatMap((dialect) =>
    [false, true].map((stream) => ({ door, dialect, stream, form: stream ? 'stream' : 'whole' })),
  ),
);

/** Asks a provider whose call has these arguments, and the fallbacks where it fails. */
async function asked(
  { door, dialect, stream }: (typeof cases)[number],
  args: string,
  fallbacks: readonly string[] = ['sim/echo'],
) {
  world.hostile.scenario = callsTools(dialect, { stream }, { id: 'c1', args });
  const body = {
    models: [`hostile/${dialect}`, ...fallbacks],
    stream,
    ...(door === 'responses'
      ? { input: 'hi', max_output_tokens: 50 }
      : { messages: [{ role: 'user', content: 'hi' }], max_tokens: 50 }),
  };
  const reply = await world.routing.call(body, { dialect: door });
  return { status: reply.status, text: await textOf(reply) };
}

const twice = JSON.stringify(JSON.stringify('{"city":"A"}'));

const others = ['[1]', '5', 'true', '"[1]"', '"text"', '"\\"text\\""', '"5"'];

describe('the arguments of a call', () => {
  test.for(cases)('are an object however $dialect writes it to $door, $form', async (how) => {
    for (const args of ['{"city":"A"}', JSON.stringify('{"city":"A"}'), twice]) {
      const { status, text } = await asked(how, args);
      equal(status, 200, text);
      ok(text.replaceAll('\\', '').includes('{"city":"A"}'), `${args}: ${text}`);
    }
  });

  test.for(cases)('are {} where there are none: $dialect to $door, $form', async (how) => {
    for (const args of ['null', '{}', '""', '"{}"', '"null"']) {
      const { status, text } = await asked(how, args);
      equal(status, 200, text);
      ok(text.includes('"look"') && text.includes('{}'), `${args}: ${text}`);
    }
  });

  test.for(cases)('of another type fail the attempt: $dialect to $door, $form', async (how) => {
    for (const args of others) {
      const { status, text } = await asked(how, args, []);
      equal(status, 502, `${args}: ${text}`);
    }
  });

  test.for(cases.filter(({ door }) => door === 'chat-completions'))(
    'of another type fail over to another endpoint: $dialect, $form',
    async (how) => {
      for (const args of ['[1]', '"[1]"']) {
        const { status, text } = await asked(how, args);
        equal(status, 200, text);
        ok(text.includes('sim/echo') && !text.includes('"look"'), `${args}: ${text}`);
      }
    },
  );
});
