import type { AskedServer } from '../asked-server.ts';
import { kindsFact, kindsOf, kindSetFact, shortFact, type Fact } from '../facts.ts';
import {
  count,
  event,
  filtered,
  fromStream,
  inAll,
  subscribed,
  type ReadOptions,
} from '../requests.ts';
import { inTurn, type Questions } from './question.ts';

const firstOfAll: ReadOptions = { ...inAll('start'), ...count(1) };
const answerMs = 1_500;
const one = () => [event()];

/** Keeps that a call was answered, or how it was refused. */
function okOr(answer: object): Fact {
  return 'refused' in answer ? answer : 'ok';
}

async function sendOne(server: AskedServer, stream: string): Promise<Fact> {
  return await server.batch((call) => call.send(stream, 'any', one(), { ms: answerMs }));
}

/** Asked only of a server that has users. */
export const userQuestions: Questions = {
  'nobody: reading, writing, $all, features, gossip': async ({ server, stream }) => {
    const nobody = server.as(undefined);
    return await inTurn([
      () => nobody.append(stream, 'any', one()),
      async () => shortFact(await nobody.read(fromStream(stream))),
      async () => kindsFact(await nobody.read(firstOfAll)),
      async () => okOr(await nobody.features()),
      async () => okOr(await nobody.gossip()),
      () => sendOne(nobody, stream),
    ]);
  },

  'wrong password': async ({ server, stream }) => {
    const wrong = server.as({ username: 'admin', password: 'guess' });
    const subscription = { ...inAll('start'), ...subscribed, ...filtered([stream]) };
    return await inTurn([
      () => wrong.append(stream, 'any', one()),
      async () => shortFact(await wrong.read(fromStream(stream))),
      async () => okOr(await wrong.features()),
      () => sendOne(wrong, stream),
      async () => kindSetFact(await wrong.read(subscription, { ms: 900 })),
    ]);
  },

  'admin: all of it': async ({ server, stream }) => {
    const system = await server.append(`$${stream}`, 'any', one());
    const isWritten = typeof system === 'object' && system !== null && 'written' in system;
    return [
      await server.append(stream, 'any', one()),
      shortFact(await server.read(fromStream(stream))),
      kindsOf((await server.read(firstOfAll)).messages),
      isWritten ? 'written' : system,
    ];
  },
};
