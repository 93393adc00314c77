import { eventsOf, type Fact } from '../facts.ts';
import { event, fromStream } from '../requests.ts';
import { inTurn, type Asking, type Questions } from './question.ts';

const rounds = 40;
/** Much longer than any write takes, and less than the 2 s after which a server gives a write up. */
const silenceMs = 400;

async function lengthOf({ server, stream }: Asking): Promise<Fact> {
  const { messages } = await server.read(fromStream(stream));
  return { length: eventsOf(messages).length };
}

function isWritten(fact: Fact): boolean {
  return typeof fact === 'object' && fact !== null && 'written' in fact;
}

function detailsOf(fact: Fact): Fact {
  const { error } = fact as { readonly error?: { readonly details: Fact } };
  return error?.details ?? fact;
}

export const sameIdQuestions: Questions = {
  'again, one after the other: exact, no_stream, any': async (asking) => {
    const { server, stream } = asking;
    const first = [event(), event()] as const;
    const second = [event()];
    return await inTurn([
      () => server.append(stream, 'no_stream', first),
      () => server.append(stream, 'no_stream', first),
      () => server.append(stream, 1, second),
      () => server.append(stream, 1, second),
      () => server.append(stream, 'any', first),
      () => server.append(stream, 'no_stream', first),
      () => server.append(stream, 'no_stream', [first[0]]),
      () => server.append(stream, 'no_stream', [first[0], event()]),
      () => server.append(stream, 'any', [first[0], event()]),
      () => server.append(stream, 'any', [event(), first[0]]),
      () => lengthOf(asking),
    ]);
  },

  'again at the end: the same ids at the current revision': async (asking) => {
    const { server, stream } = asking;
    const same = [event()];
    return await inTurn([
      () => server.append(stream, 'no_stream', same),
      () => server.append(stream, 0, same),
      () => lengthOf(asking),
    ]);
  },

  // A duplicate gets no answer while the first write is not replicated yet: the writer must ask again.
  'at once, the same ids: who is answered (batch, 40 rounds of 2)': async ({ server, stream }) =>
    await server.batch((first) =>
      server.batch(async (second) => {
        const facts: Fact[] = [];
        for (let round = 0; round < rounds; round++) {
          const same = [event()];
          const sent = [first, second].map((call) =>
            call.send(`${stream}-${round}`, 'no_stream', same, { ms: silenceMs }),
          );
          facts.push(...(await Promise.all(sent)));
        }
        const again = await first.send(`${stream}-0`, 'no_stream', [event()]);
        const answered = facts.filter(isWritten).length;
        const silent = facts.filter((fact) => fact === 'no answer').length;
        return {
          everyRoundAnsweredOnce: answered >= rounds,
          duplicatesWithoutAnswer: silent > 0,
          other: facts.length - answered - silent,
          afterwards: detailsOf(again),
        };
      }),
    ),

  'at once, the same ids: asked again later is answered': async (asking) => {
    const { server, stream } = asking;
    return await server.batch(async (call) => {
      const same = [event()];
      const send = () => call.send(stream, 'no_stream', same, { ms: silenceMs });
      await Promise.all([send(), send()]);
      return [await call.send(stream, 'no_stream', same), await lengthOf(asking)];
    });
  },

  'an append without an answer does not hold up others on its call': async ({ server, stream }) =>
    await server.batch(async (call) => {
      const same = [event()];
      const duplicates = [1, 2].map(() => call.send(stream, 'no_stream', same, { ms: 900 }));
      const others = ['b', 'c'].map((name) =>
        call.send(`${stream}-${name}`, 'no_stream', [event()]),
      );
      await Promise.all(duplicates);
      return { others: await Promise.all(others) };
    }),
};
