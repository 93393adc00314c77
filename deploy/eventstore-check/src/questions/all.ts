import { eventsOf, kindsFact, kindSetFact, kindsOf } from '../facts.ts';
import {
  backwards,
  count,
  event,
  filtered,
  fromStream,
  inAll,
  inAllAt,
  subscribed,
  type ReadOptions,
} from '../requests.ts';
import type { Asking, Questions } from './question.ts';

const huge = 2n ** 63n - 1n;
/** Further than a log grows while it is asked. */
const farBeyond = 100_000_000n;
/** Less than what the question writes afterwards. */
const littleBeyond = 2_000n;
const writesBeyond = 20;

/** Writes events and returns the position of the first one. */
async function writtenAt({ server, stream }: Asking, events: number): Promise<bigint> {
  const proposed = Array.from({ length: events }, () => event());
  await server.append(stream, 'no_stream', proposed);
  const { messages } = await server.read(fromStream(stream));
  const [first] = eventsOf(messages);
  if (!first?.event) throw new Error('An event that was written is not read.');
  return first.event.commitPosition;
}

export const allQuestions: Questions = {
  '$all: positions that are none': async (asking) => {
    const commit = await writtenAt(asking, 2);
    const from = async (position: bigint, prepare?: bigint, more: ReadOptions = {}) =>
      kindsFact(await asking.server.read({ ...inAllAt(position, prepare), ...count(1), ...more }));
    return {
      inside: await from(commit + 1n),
      prepareAhead: await from(commit, commit + 5n),
      beyond: await from(commit + farBeyond),
      huge: await from(huge),
      backwardsBeyond: await from(commit + farBeyond, undefined, backwards),
      backwardsInside: await from(commit + 1n, undefined, backwards),
      exact: await from(commit),
    };
  },

  '$all: subscriptions behind positions that are none': async (asking) => {
    const { server, stream } = asking;
    const commit = await writtenAt(asking, 2);
    const from = async (position: bigint, filter: ReadOptions = filtered([stream])) =>
      kindSetFact(
        await server.read({ ...inAllAt(position), ...subscribed, ...filter }, { ms: 1_200 }),
      );
    const [exact, inside, beyond, insidePlain, beyondPlain, hugeFact] = await Promise.all([
      from(commit),
      from(commit + 1n),
      from(commit + farBeyond),
      from(commit + 1n, {}),
      from(commit + farBeyond, {}),
      from(huge),
    ]);
    return { exact, inside, beyond, insidePlain, beyondPlain, huge: hugeFact };
  },

  '$all: a subscription beyond the end, then writes': async (asking) => {
    const { server, stream } = asking;
    const beyond = (await writtenAt(asking, 1)) + littleBeyond;
    const subscription = server.open(
      { ...inAllAt(beyond), ...subscribed, ...filtered([stream]) },
      { ms: 2_500 },
    );
    await subscription.live;
    for (let n = 0; n < writesBeyond; n++)
      await server.append(stream, 'any', [event('t', { pad: 'x'.repeat(300) })]);
    const { messages, how } = await subscription.fact;
    const positions = eventsOf(messages).flatMap((each) => each.event?.commitPosition ?? []);
    return {
      written: '0',
      how,
      getsEventsBelowItsPosition: positions.some((position) => position <= beyond),
      getsEventsAboveIt: positions.some((position) => position > beyond),
    };
  },

  '$all: backwards from the end gives the newest first; forwards from the end gives nothing':
    async ({ server, stream }) => {
      await server.append(stream, 'no_stream', [event('newest')]);
      const { messages } = await server.read({ ...inAll('end'), ...backwards, ...count(40) });
      const names = eventsOf(messages).map(({ event: each }) =>
        each?.streamIdentifier?.streamName.toString(),
      );
      const forwards = kindsFact(await server.read({ ...inAll('end'), ...count(10) }));
      return { newest: names.includes(stream), forwards };
    },

  '$all: read with a filter': async ({ server, stream }) => {
    await server.append(`${stream}-a`, 'no_stream', [event(), event()]);
    await server.append(`other-${stream}`, 'no_stream', [event()]);
    const read = async (prefixes: readonly string[]) => {
      const newest = { ...inAll('end'), ...backwards, ...count(20) };
      const { messages, how } = await server.read({ ...newest, ...filtered(prefixes) });
      const kinds = [...new Set(kindsOf(messages))];
      return { events: eventsOf(messages).length, kinds, ...how };
    };
    return {
      prefix: await read([stream]),
      two: await read([stream, `other-${stream}`]),
      none: await read([`never-${stream}`]),
    };
  },
};
