import { event, type Expected, type Proposed } from '../requests.ts';
import { inTurn, type Asking, type Questions } from './question.ts';

type Attempt = readonly [expected: Expected, events: readonly Proposed[]];

const one = (): readonly Proposed[] => [event()];

/** Asks the same attempts of plain appends and of a batch append. */
async function plain({ server, stream }: Asking, attempts: readonly Attempt[]) {
  return await inTurn(attempts.map((attempt) => () => server.append(stream, ...attempt)));
}

async function batched({ server, stream }: Asking, attempts: readonly Attempt[]) {
  return await server.batch((call) =>
    inTurn(attempts.map((attempt) => () => call.send(stream, ...attempt))),
  );
}

const rightAttempts = (): readonly Attempt[] => [
  ['no_stream', one()],
  ['any', [event(), event()]],
  [2, one()],
  ['stream_exists', one()],
];

const wrongAttempts = (): readonly Attempt[] => [
  ['stream_exists', one()],
  [0, one()],
  ['no_stream', one()],
  ['no_stream', one()],
  [7, one()],
];

const roundsOfWriters = 30;
const writers = [1, 2, 3];

export const appendQuestions: Questions = {
  'append: any, no_stream, exact, stream_exists': (asking) => plain(asking, rightAttempts()),
  'append: wrong expectations': (asking) => plain(asking, wrongAttempts()),
  'batch: any, no_stream, exact, stream_exists': (asking) => batched(asking, rightAttempts()),
  'batch: wrong expectations': (asking) => batched(asking, wrongAttempts()),

  'append: no events, new and old stream': (asking) =>
    plain(asking, [
      ['any', []],
      ['no_stream', []],
      ['stream_exists', []],
      ['any', one()],
      ['any', []],
      [0, []],
      ['no_stream', []],
    ]),

  'batch: no events, new and old stream': (asking) =>
    batched(asking, [
      ['any', []],
      ['no_stream', []],
      ['any', one()],
      ['any', []],
      [0, []],
      ['no_stream', []],
    ]),

  'append: two writers of the same revision, 30 rounds': async ({ server, stream }) => {
    let won = 0;
    let lost = 0;
    for (let round = 0; round < roundsOfWriters; round++) {
      const expected = round === 0 ? 'no_stream' : round - 1;
      const facts = await Promise.all(writers.map(() => server.append(stream, expected, one())));
      won += facts.filter((fact) => isObject(fact) && 'written' in fact).length;
      lost += facts.filter((fact) => isObject(fact) && 'wrongExpectedVersion' in fact).length;
    }
    return { won, lost };
  },
};

function isObject(fact: unknown): fact is object {
  return typeof fact === 'object' && fact !== null;
}
