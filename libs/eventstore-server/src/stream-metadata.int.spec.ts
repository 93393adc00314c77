import { deepEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import type { BatchAppendReq, ReadReq_Options } from '@sluice/protos/event_store/client/streams';
import { chunk, proposed, readRequest } from './testing/requests.ts';
import { aNode, batchAppend, collect, streamIdentifier } from './testing/wire.ts';

const eventsOfStream = 5;

const batchTo = (stream: string, messages: BatchAppendReq['proposedMessages']) =>
  chunk({
    options: {
      streamIdentifier: streamIdentifier(stream),
      expectedStreamPosition: { $case: 'any', value: {} },
      deadlineOption: undefined,
    },
    proposedMessages: messages,
  });

const readOf = (stream: string, backwards: boolean): Partial<ReadReq_Options> => ({
  readDirection: backwards ? 'Backwards' : 'Forwards',
  streamOption: {
    $case: 'stream',
    value: {
      streamIdentifier: streamIdentifier(stream),
      revisionOption: backwards ? { $case: 'end', value: {} } : { $case: 'start', value: {} },
    },
  },
});

/**
 * Returns the first of five events that EventStoreDB shows: the first, unless a whole number in its bounds says
 * otherwise.
 */
function shownFrom(name: '$maxCount' | '$tb', text: string): number {
  const number = /^-?\d+$/.test(text) ? BigInt(text) : undefined;
  if (number === undefined || number >= 2n ** 63n - 1n) return 0;
  if (name === '$maxCount') return number >= 1n ? Math.max(0, eventsOfStream - Number(number)) : 0;
  return number >= 0n ? Math.min(eventsOfStream, Number(number)) : 0;
}

test('a read of a stream shows events of that stream alone, whatever numbers its metadata holds', async () => {
  const { client } = await aNode();
  // A malformed index would lead here.
  await batchAppend(client, [batchTo('first-1', [proposed('{"stream":"first"}')])]);
  const numbers = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
    fc.double({ min: 0, max: 6, noNaN: true }).map((number) => JSON.stringify(number)),
    fc.integer({ min: -3, max: 9 }).map(String),
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 62n }).map(String),
    fc.constantFrom('2.5', '3.5', '2.0', '1e3', '"2"', 'null', '99999999999999999999'),
  );
  const settings = fc.tuple(fc.constantFrom('$maxCount' as const, '$tb' as const), numbers);
  let count = 0;
  await fc.assert(
    fc.asyncProperty(settings, async ([name, text]) => {
      const stream = `s-${count++}`;
      const data = (revision: number) => JSON.stringify({ stream, revision });
      const events = Array.from({ length: eventsOfStream }, (_, at) => proposed(data(at)));
      await batchAppend(client, [batchTo(stream, events)]);
      await batchAppend(client, [batchTo(`$$${stream}`, [proposed(`{"${name}":${text}}`)])]);
      const from = shownFrom(name, text);
      const expected = Array.from({ length: eventsOfStream - from }, (_, at) => data(from + at));
      for (const backwards of [false, true]) {
        const messages = await collect(client.read(readRequest(readOf(stream, backwards))));
        const shown = messages.flatMap(({ content }) =>
          content?.$case === 'event' ? [content.value.event?.data.toString()] : [],
        );
        deepEqual(backwards ? shown.toReversed() : shown, expected, text);
      }
    }),
    { numRuns: 150 },
  );
});
