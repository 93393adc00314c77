import { eventsOf, kindsOf, shortFact } from '../facts.ts';
import {
  backFrom,
  backwards,
  count,
  event,
  fromStream,
  inAll,
  type ReadOptions,
  type StreamFrom,
} from '../requests.ts';
import { inTurn, type Asking, type Questions } from './question.ts';

const some = (length: number) => Array.from({ length }, () => event());

async function short({ server }: Asking, options: ReadOptions) {
  return shortFact(await server.read(options));
}

export const readQuestions: Questions = {
  'read: missing stream, forwards and backwards': async (asking) => [
    await short(asking, fromStream(asking.stream)),
    await short(asking, backFrom(asking.stream)),
  ],

  'read: forwards and backwards, inside and beyond': async (asking) => {
    const { server, stream } = asking;
    await server.append(stream, 'no_stream', some(5));
    const up = (from: StreamFrom, more: ReadOptions = {}) => ({
      ...fromStream(stream, from),
      ...more,
    });
    const down = (from: StreamFrom, more: ReadOptions = {}) => ({
      ...backFrom(stream, from),
      ...more,
    });
    const reads = [
      up('start'),
      up(2n),
      up(5n),
      up(900n),
      up('end'),
      up('start', count(2)),
      up('start', count(0)),
      down('end'),
      down(3n),
      down(900n),
      down('start'),
      down('end', count(2)),
    ];
    return await inTurn(reads.map((options) => () => short(asking, options)));
  },

  'read: what a recorded event carries': async ({ server, stream }) => {
    const binary = { contentType: 'application/octet-stream' };
    await server.append(stream, 'no_stream', [
      event('typed', { a: 1 }, { custom: Buffer.from('{"m":1}') }),
      event('bin', Buffer.from([1, 2, 3]), binary),
    ]);
    const { messages } = await server.read(fromStream(stream));
    return eventsOf(messages).map(({ event: recorded, link, position }) => {
      if (!recorded) return 'no event';
      const { metadata, commitPosition, preparePosition, data, customMetadata, id } = recorded;
      return {
        metadata: Object.keys(metadata).toSorted(),
        type: metadata['type'],
        contentType: metadata['content-type'],
        createdTicks: String(metadata['created']).length,
        revision: String(recorded.streamRevision),
        link: link ?? null,
        data: data.toString('hex'),
        custom: customMetadata.toString(),
        samePositions: commitPosition === preparePosition,
        position: position?.$case === 'commitPosition' ? 'commit_position' : null,
        positionEqual: position?.$case === 'commitPosition' && position.value === commitPosition,
        idForm: id?.value ? [id.value.$case] : [],
      };
    });
  },

  'read: structured ids': async ({ server, stream }) => {
    const id = '01020304-0506-0708-090a-0b0c0d0e0f10';
    await server.append(stream, 'no_stream', [event('t', {}, { id })]);
    const uuidOption = { content: { $case: 'structured', value: {} } } as const;
    const { messages } = await server.read({ ...fromStream(stream), uuidOption });
    return eventsOf(messages).map(({ event: recorded }) => {
      const value = recorded?.id?.value;
      if (value?.$case !== 'structured') return 'not structured';
      return {
        most_significant_bits: String(value.value.mostSignificantBits),
        least_significant_bits: String(value.value.leastSignificantBits),
      };
    });
  },

  'read: first and last position messages': async ({ server, stream }) => {
    await server.append(stream, 'no_stream', some(3));
    const kinds = async (options: ReadOptions) => kindsOf((await server.read(options)).messages);
    const compatible = (compatibility: number) =>
      kinds({ ...fromStream(stream), controlOption: { compatibility } });
    return {
      stream: await kinds(fromStream(stream)),
      compatible21: await compatible(21),
      compatible1: await compatible(1),
      allBackwards: await kinds({ ...inAll('end'), ...backwards, ...count(2) }),
    };
  },

  'links: to an event, a missing one, a deleted stream, rubbish': async ({ server, stream }) => {
    await server.append(stream, 'no_stream', [event('target')]);
    await server.append(`${stream}-gone`, 'no_stream', [event()]);
    await server.remove(`${stream}-gone`, 'any');
    const contentType = 'application/octet-stream';
    const targets = [
      `0@${stream}`,
      `7@${stream}`,
      `0@${stream}-gone`,
      `0@${stream}-never`,
      'rubbish',
      'x@y',
      '',
    ];
    const links = targets.map((target) => event('$>', Buffer.from(target), { contentType }));
    await server.append(`${stream}-links`, 'no_stream', links);
    const read = async (resolveLinks: boolean) => {
      const { messages } = await server.read({ ...fromStream(`${stream}-links`), resolveLinks });
      return eventsOf(messages).map(({ event: target, link }) =>
        [target, link].map((each) => each?.metadata['type'] ?? '-').join('/'),
      );
    };
    return { plain: await read(false), resolved: await read(true) };
  },
};
