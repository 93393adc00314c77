import { deepEqual, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { startEventStoreServer, type EventStoreServer } from '@sluice/eventstore-server';
import { accessOf } from './access.ts';
import { ask, questionNames } from './ask.ts';
import { AskedServer, type Access } from './asked-server.ts';
import { eventsOf, type Answers } from './facts.ts';
import { count, inAll } from './requests.ts';
import { recordedAnswers } from './recorded-answers.ts';

/** The answers of the node that differ on purpose. The README says why. */
const keptDifferences: Answers = {
  'subscribe: regular expressions': {
    plain: 1,
    ignoreCase: 1,
    lookAhead: 0,
    boundary: 1,
    digit: 1,
    type: 1,
    typeNot: 0,
  },
};

describe.each([
  { secured: false, questions: 74 },
  { secured: true, questions: 77 },
])('the node answers as recorded, secured: $secured', ({ secured, questions }) => {
  const recorded = recordedAnswers(secured);
  const expected: Answers = { ...recorded, ...keptDifferences };
  const anyUser = secured ? { username: '', password: '' } : undefined;
  const names = questionNames({ user: anyUser });
  let directory = '';
  let server: EventStoreServer | undefined;
  let access: Access = { address: '', channel: credentials.createInsecure() };
  let answers: Answers = {};

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-eventstore-'));
    server = await startEventStoreServer({ directory, port: 0, insecure: !secured });
    access = await accessOf(server.url);
    answers = await ask(access, expected);
  });

  afterAll(async () => {
    await server?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  test('every recorded answer has its question', () => {
    deepEqual(names.toSorted(), Object.keys(recorded).toSorted());
    deepEqual(names.length, questions);
  });

  test('only streams of the questions are left behind', async () => {
    const asked = new AskedServer(access, 4);
    const { messages } = await asked.read({ ...inAll('start'), ...count(100_000) });
    asked.close();
    const streams = eventsOf(messages).map(({ event }) => event?.streamIdentifier?.streamName);
    ok(streams.length > 500, `${streams.length} events`);
    const others = streams.filter((name) => !/probe[0-9a-f]{12}/.test(String(name)));
    deepEqual(others, []);
  });

  test.each(names)('%s', (name) => {
    deepEqual(answers[name], expected[name]);
  });
});
