import { eventsOf, shortFact } from '../facts.ts';
import { backFrom, event, fromStream, subscribeTo } from '../requests.ts';
import { inTurn, type Questions } from './question.ts';

const two = () => [event(), event()];
const one = () => [event()];

export const removalQuestions: Questions = {
  'delete: missing stream': async ({ server, stream }) =>
    await inTurn([
      () => server.remove(stream, 'any'),
      () => server.remove(`${stream}-b`, 'no_stream'),
      () => server.remove(`${stream}-c`, 'stream_exists'),
      () => server.remove(`${stream}-d`, 3),
    ]),

  'delete: expectations, twice, then written again': async ({ server, stream }) => {
    await server.append(stream, 'no_stream', two());
    return await inTurn([
      () => server.remove(stream, 5),
      () => server.remove(stream, 'no_stream'),
      () => server.remove(stream, 1),
      () => server.remove(stream, 'any'),
      async () => shortFact(await server.read(fromStream(stream))),
      () => server.append(stream, 'stream_exists', one()),
      () => server.append(stream, 'no_stream', one()),
      async () => shortFact(await server.read(fromStream(stream))),
      async () => shortFact(await server.read(backFrom(stream))),
    ]);
  },

  'delete: written again by any and by the old revision': async ({ server, stream }) => {
    for (const name of ['a', 'b', 'c']) {
      await server.append(`${stream}-${name}`, 'no_stream', two());
      await server.remove(`${stream}-${name}`, 'any');
    }
    return await inTurn([
      () => server.append(`${stream}-a`, 'any', one()),
      () => server.append(`${stream}-b`, 1, one()),
      () => server.append(`${stream}-c`, 0, one()),
    ]);
  },

  'delete: same ids after it': async ({ server, stream }) => {
    const same = two();
    await server.append(stream, 'no_stream', same);
    await server.remove(stream, 'any');
    const facts = await inTurn([
      () => server.append(stream, 'no_stream', same),
      () => server.append(`${stream}-x`, 'any', one()),
    ]);
    const { messages } = await server.read(fromStream(stream));
    return [...facts, { length: eventsOf(messages).length }];
  },

  'tombstone: missing, existing, twice, then anything': async ({ server, stream }) => {
    const missing = await server.tombstone(`${stream}-m`, 'no_stream');
    const any = await server.tombstone(`${stream}-n`, 'any');
    await server.append(stream, 'no_stream', two());
    const metadata = event('$metadata', {});
    return {
      missing,
      any,
      wrong: await server.tombstone(stream, 7),
      done: await server.tombstone(stream, 1),
      twice: await server.tombstone(stream, 'any'),
      remove: await server.remove(stream, 'any'),
      append: await server.append(stream, 'any', one()),
      read: shortFact(await server.read(fromStream(stream))),
      metadata: await server.append(`$$${stream}`, 'any', [metadata]),
      subscribed: shortFact(await server.read(subscribeTo(stream), { ms: 700 })),
      batch: await server.batch((call) => call.send(stream, 'any', one())),
    };
  },

  'tombstone: under a subscription': async ({ server, stream }) => {
    await server.append(stream, 'no_stream', one());
    const subscription = server.open(subscribeTo(stream));
    await subscription.live;
    await server.tombstone(stream, 'any');
    return shortFact(await subscription.fact);
  },

  'delete: under a subscription': async ({ server, stream }) => {
    await server.append(stream, 'no_stream', one());
    const subscription = server.open(subscribeTo(stream), { ms: 1_800 });
    await subscription.live;
    await server.remove(stream, 'any');
    await server.append(stream, 'any', one());
    return shortFact(await subscription.fact);
  },
};
