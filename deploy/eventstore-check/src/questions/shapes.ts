import { randomUUID } from 'node:crypto';
import { eventsOf, shortFact } from '../facts.ts';
import {
  count,
  event,
  fromStream,
  heavyEvent,
  inAll,
  inStream,
  type Expected,
  type Proposed,
} from '../requests.ts';
import { inTurn, type Questions } from './question.ts';

const mebibyte = 1024 * 1024;
/** The type `t` counts as two bytes. */
const sizes = { a: mebibyte - 2, b: mebibyte - 1, c: mebibyte };
const thirds = () => Array.from({ length: 3 }, () => heavyEvent(400_000));
const zeroId = '00000000-0000-0000-0000-000000000000';

type Attempt = readonly [name: string, expected: Expected, events: readonly Proposed[]];

const sizeAttempts = (stream: string): readonly Attempt[] =>
  Object.entries(sizes).map(([name, bytes]) => [`${stream}-${name}`, 'any', [heavyEvent(bytes)]]);

const incompleteEvents = (): readonly Proposed[] => [
  event('t', {}, { metadata: {} }),
  event('t', {}, { metadata: { type: 't' } }),
  event('t', {}, { metadata: { 'content-type': 'application/json' } }),
  event('', {}),
  event('t', {}, { contentType: 'text/strange' }),
  event('t', Buffer.from('{broken')),
  event('t', Buffer.alloc(0)),
  event('t', {}, { id: 'not-a-uuid' }),
  event('t', {}, { id: zeroId }),
];

export const shapeQuestions: Questions = {
  'append: sizes around 1 MiB': async ({ server, stream }) => {
    const facts = await inTurn([
      ...sizeAttempts(stream).map((attempt) => () => server.append(...attempt)),
      () => server.append(`${stream}-d`, 'any', thirds()),
    ]);
    return [...facts, { after: await server.append(stream, 'no_stream', [event()]) }];
  },

  'batch: sizes around 1 MiB': async ({ server, stream }) =>
    await server.batch(async (call) => {
      const chunks = thirds().map((large) => [large]);
      const facts = await inTurn([
        ...sizeAttempts(stream).map((attempt) => () => call.send(...attempt)),
        () => call.send(`${stream}-d`, 'any', [], { chunks }),
      ]);
      return [...facts, { after: await call.send(stream, 'no_stream', [event()]) }];
    }),

  'batch: a chunk of 5 MiB, and what becomes of the others': async ({ server, stream }) =>
    await server.batch(async (call) => {
      const other = call.send(stream, 'no_stream', [event()]);
      const large = await call.send(`${stream}-l`, 'any', [heavyEvent(5 * mebibyte)]);
      return { large, other: await other, after: await call.send(stream, 0, [event()]) };
    }),

  'batch: deadline over, as a time and as a duration': async ({ server, stream }) =>
    await server.batch(async (call) => {
      const asTime = { $case: 'deadline21100', value: new Date(1_000_000) } as const;
      const after = (seconds: bigint) =>
        ({ $case: 'deadline', value: { seconds, nanos: 0 } }) as const;
      const facts = await inTurn(
        [asTime, after(0n), after(-1n)].map(
          (deadline) => () => call.send(stream, 'any', [event()], { deadline }),
        ),
      );
      const large = [heavyEvent(2 * mebibyte)];
      const tooLargeAndOver = await call.send(stream, 'any', large, { deadline: after(0n) });
      const { messages } = await server.read(fromStream(stream));
      return [...facts, { tooLargeAndOver, length: eventsOf(messages).length }];
    }),

  'batch: the same correlation id for two appends': async ({ server, stream }) =>
    await server.batch((call) => {
      const correlation = randomUUID();
      const send = () => call.send(stream, 'any', [event()], { correlation });
      return inTurn([send, send]);
    }),

  'append: events that lack something': async ({ server, stream }) =>
    await inTurn(
      incompleteEvents().map((incomplete) => () => server.append(stream, 'any', [incomplete])),
    ),

  'batch: events that lack something, and the call afterwards': async ({ server, stream }) =>
    await server.batch(async (call) => {
      const incomplete = [
        event('t', {}, { metadata: {} }),
        event('', {}),
        event('t', {}, { contentType: 'text/strange' }),
      ];
      const facts = await inTurn(incomplete.map((each) => () => call.send(stream, 'any', [each])));
      return [...facts, { after: await call.send(stream, 'any', [event()]) }];
    }),

  'append: stream names': async ({ server, stream }) => {
    const notUtf8 = Buffer.concat([Buffer.from(stream), Buffer.from([0xff, 0xfe])]);
    const names = [
      '',
      `${stream} blank`,
      `${stream}\n\0`,
      `${stream}-ü✓`,
      `$$$$${stream}`,
      '$$',
      notUtf8,
      stream + 'x'.repeat(3_000),
    ];
    return await inTurn(names.map((name) => () => server.append(name, 'any', [event()])));
  },

  'read: requests that lack an option': async ({ server, stream }) =>
    await inTurn(
      [inStream(stream), count(1), { ...inAll('start'), ...count(1), uuidOption: undefined }].map(
        (request) => async () => shortFact(await server.read(request)),
      ),
    ),
};
