import type {
  ReadReq_Options_FilterOptions,
  ReadResp,
} from '@sluice/protos/event_store/client/streams';
import { eventsOf, kindSetFact, kindsOf, shortFact, type Fact } from '../facts.ts';
import {
  event,
  filtered,
  filterOption,
  inAll,
  subscribed,
  subscribeTo,
  type FilterWindow,
  type ReadOptions,
  type StreamFrom,
} from '../requests.ts';
import type { Asking, Questions } from './question.ts';

const fromEnd: ReadOptions = { ...inAll('end'), ...subscribed };
const fromStart: ReadOptions = { ...inAll('start'), ...subscribed };
const checkpointedWrites = 64;
const manyWriters = 6;
const writesEach = 50;

const isLive = (messages: readonly ReadResp[]) => kindsOf(messages).includes('caught_up');

type Expression = ReadReq_Options_FilterOptions['filter'];

/** Asks for all events of the log that match, and counts those of the question's own streams. */
async function matches(
  { server, stream }: Asking,
  regex: string,
  by: 'streamIdentifier' | 'eventType' = 'streamIdentifier',
): Promise<number> {
  const filter = filterOption({ $case: by, value: { regex, prefix: [] } }, { multiplier: 1 });
  const { messages } = await server.read({ ...fromStart, ...filter }, { until: isLive });
  return eventsOf(messages).filter(({ event: each }) =>
    each?.streamIdentifier?.streamName.toString().startsWith(stream),
  ).length;
}

/** Returns each field once it is known; the questions behind them are asked at the same time. */
async function together(asked: Readonly<Record<string, Promise<Fact>>>): Promise<Fact> {
  const names = Object.keys(asked);
  const facts = await Promise.all(Object.values(asked));
  return Object.fromEntries(names.map((name, index) => [name, facts[index]]));
}

export const subscriptionQuestions: Questions = {
  'subscribe: a stream that comes later': async ({ server, stream }) => {
    const subscription = server.open(subscribeTo(stream), { ms: 1_500 });
    await subscription.live;
    await server.append(stream, 'any', [event()]);
    return shortFact(await subscription.fact);
  },

  'subscribe: from start, a revision, the end, beyond': async ({ server, stream }) => {
    await server.append(stream, 'no_stream', [event(), event(), event()]);
    const at = async (from: StreamFrom) =>
      shortFact(await server.read(subscribeTo(stream, from), { ms: 700 }));
    return await together({
      start: at('start'),
      after0: at(0n),
      end: at('end'),
      beyond: at(900n),
      undefined: at('nowhere'),
    });
  },

  'subscribe: order of the first messages, $all by prefix': async ({ server, stream }) => {
    await server.append(stream, 'no_stream', [event(), event()]);
    const { messages, how } = await server.read(
      { ...fromStart, ...filtered([stream]) },
      { until: isLive },
    );
    const kinds = kindsOf(messages);
    return {
      order: kinds.filter((kind) => kind !== 'checkpoint'),
      first: kinds[0],
      checkpointBeforeCaughtUp: kinds.findLast((kind) => kind !== 'caught_up'),
      caughtUp: [],
      how,
    };
  },

  'subscribe: checkpoints while nothing matches': async ({ server, stream }) => {
    const window: FilterWindow = { max: 8, multiplier: 2 };
    const options = { ...fromEnd, ...filtered([`never-${stream}`], window) };
    const subscription = server.open(options, { ms: 2_500 });
    await subscription.live;
    for (let n = 0; n < checkpointedWrites; n++) await server.append(stream, 'any', [event()]);
    const { messages } = await subscription.fact;
    const points = messages.flatMap(({ content }) =>
      content?.$case === 'checkpoint' ? [content.value.commitPosition] : [],
    );
    return {
      kinds: [...new Set(kindsOf(messages))].toSorted(),
      some: points.length > 0,
      atLeast: points.length >= 3,
      ascending: isAscending(points),
      atMostEvery16: points.length <= 6,
    };
  },

  'subscribe: filters that are none': async ({ server, stream }) => {
    const ask = async (filter: ReadOptions) =>
      kindSetFact(await server.read({ ...fromStart, ...filter }, { ms: 900 }));
    const by = (regex: string, prefix: string[]): Expression => ({
      $case: 'streamIdentifier',
      value: { regex, prefix },
    });
    const prefix = by('', [stream]);
    const options = { filter: prefix, window: undefined, checkpointIntervalMultiplier: 1 };
    return await together({
      noWindow: ask({ filterOption: { $case: 'filter', value: options } }),
      window0: ask(filterOption(prefix, { max: 0, multiplier: 1 })),
      multiplier0: ask(filterOption(prefix, { multiplier: 0 })),
      badRegex: ask(filterOption(by('(', []), { multiplier: 1 })),
      emptyExpression: ask(filterOption(by('', []), { multiplier: 1 })),
      noFilter: ask(filterOption(undefined, { multiplier: 1 })),
    });
  },

  'subscribe: regular expressions': async (asking) => {
    const { server, stream } = asking;
    await server.append(`${stream}-Abc1`, 'no_stream', [event('OrderPlaced')]);
    return await together({
      plain: matches(asking, `^${stream}-`),
      ignoreCase: matches(asking, `(?i)^${stream}-ABC`),
      lookAhead: matches(asking, `^${stream}-(?=Abc)`),
      boundary: matches(asking, `${stream}-Abc1\\b`),
      digit: matches(asking, `^${stream}-Abc\\d$`),
      type: matches(asking, '^Order', 'eventType'),
      typeNot: matches(asking, '^(?!\\$)Order', 'eventType'),
    });
  },

  'subscribe: live order under 300 writes of 6 writers': async ({ server, stream }) => {
    const expected = manyWriters * writesEach;
    const subscription = server.open(
      { ...fromEnd, ...filtered([stream]) },
      { ms: 8_000, until: (messages) => eventsOf(messages).length >= expected },
    );
    await subscription.live;
    const write = async (writer: number) => {
      for (let n = 0; n < writesEach; n++)
        await server.append(`${stream}-${writer}`, 'any', [event('t', { n })]);
    };
    await Promise.all(Array.from({ length: manyWriters }, (_, writer) => write(writer)));
    const { messages } = await subscription.fact;
    const positions = eventsOf(messages).flatMap((each) => each.event?.commitPosition ?? []);
    const once = new Set(positions).size === positions.length;
    return { count: positions.length, ascending: isAscending(positions), once };
  },
};

function isAscending(positions: readonly bigint[]): boolean {
  return positions.every((position, index) => {
    const before = positions[index - 1];
    return before === undefined || position > before;
  });
}
