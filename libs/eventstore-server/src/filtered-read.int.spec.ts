import { deepEqual, equal, ok } from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { ReadReq_Options, StreamsClient } from '@sluice/protos/event_store/client/streams';
import { anEvent } from './testing/events.ts';
import { readRequest } from './testing/requests.ts';
import { openStore, scratchDirectory } from './testing/scratch.ts';
import { aNode, collect, failureOf } from './testing/wire.ts';

interface Filter {
  readonly regex: string;
  readonly prefix: readonly string[];
  readonly on?: 'streamIdentifier' | 'eventType';
}

const filtered = ({
  regex,
  prefix,
  on = 'streamIdentifier',
}: Filter): Partial<ReadReq_Options> => ({
  filterOption: {
    $case: 'filter',
    value: {
      filter: { $case: on, value: { regex, prefix: [...prefix] } },
      window: { $case: 'max', value: 32 },
      checkpointIntervalMultiplier: 4,
    },
  },
});

const counted = (count: number, backwards = false): Partial<ReadReq_Options> => ({
  countOption: { $case: 'count', value: BigInt(count) },
  readDirection: backwards ? 'Backwards' : 'Forwards',
  streamOption: {
    $case: 'all',
    value: {
      allOption: backwards ? { $case: 'end', value: {} } : { $case: 'start', value: {} },
    },
  },
});

/** A log of so many events over ten streams, made without the wire. */
async function logOf(events: number): Promise<string> {
  const directory = await scratchDirectory();
  const store = await openStore(directory, { segmentBytesMax: 2 ** 26 });
  const perAppend = 500;
  for (let first = 0; first < events; first += perAppend) {
    const stream = `stream${(first / perAppend) % 10}-1`;
    const proposed = Array.from({ length: perAppend }, (_, at) => anEvent({ n: first + at }));
    await store.append({ stream, expected: 'any', events: proposed });
  }
  await store.close();
  return directory;
}

async function dataOf(client: StreamsClient, options: Partial<ReadReq_Options>) {
  const messages = await collect(client.read(readRequest(options)));
  return messages.flatMap(({ content }) =>
    content?.$case === 'event'
      ? [(JSON.parse(String(content.value.event?.data)) as { n: number }).n]
      : [],
  );
}

describe('a filtered read of $all', () => {
  test('gives what the filter wants, in order and no more, both ways', async () => {
    const events = 10_000;
    const { client } = await aNode({ directory: await logOf(events) });
    const streamOf = (n: number) => `stream${Math.floor(n / 500) % 10}-1`;
    const all = [...Array(events).keys()];
    const filters = fc.oneof(
      fc
        .subarray(['stream0', 'stream7', 'stream7-', 'stream', 'nobody-'], { minLength: 1 })
        .map((prefix) => ({ prefix, regex: '' })),
      fc
        .constantFrom('^stream[37]', '5-1$', '(?i)STREAM2', 'x', '^stream\\d-1$')
        .map((regex) => ({ prefix: [], regex })),
    );
    const counts = fc.constantFrom(1, 7, 499, 2_048, 5_000, 20_000);
    await fc.assert(
      fc.asyncProperty(filters, counts, fc.boolean(), async (filter, count, backwards) => {
        const wanted = all.filter((n) =>
          filter.regex === ''
            ? filter.prefix.some((prefix) => streamOf(n).startsWith(prefix))
            : new RegExp(filter.regex.replace('(?i)', ''), 'i').test(streamOf(n)),
        );
        const expected = (backwards ? wanted.toReversed() : wanted).slice(0, count);
        const options = { ...filtered(filter), ...counted(count, backwards) };
        deepEqual(await dataOf(client, options), expected);
      }),
      { numRuns: 25 },
    );
  });

  test('lets the event loop turn again and again, over 100,000 events of which none is wanted', async () => {
    const { client } = await aNode({ directory: await logOf(100_000) });
    const filters: readonly Filter[] = [
      { regex: '', prefix: ['nobody-'] },
      { regex: '^nobody-', prefix: [] },
      { regex: '(?:(?:n+o*)+b?)+!$', prefix: [] },
      { regex: '^Nothing', prefix: [], on: 'eventType' },
    ];
    for (const filter of filters) {
      let turns = 0;
      let reading = true;
      const count = () => {
        turns++;
        if (reading) setImmediate(count);
      };
      const done = dataOf(client, { ...filtered(filter), ...counted(10) });
      setImmediate(count);
      deepEqual(await done, []);
      reading = false;
      // A turn looks at 2,048 events at the most.
      ok(turns >= 48, `${turns} turns`);
    }
  });

  test('is refused when its expression would cost too much, at once', async () => {
    const { client } = await aNode();
    const nested = `${'(?:'.repeat(30)}a${'){2}'.repeat(30)}`;
    const empty = `${'(?:'.repeat(30)}${'){2}'.repeat(30)}`;
    const prefixes = Array.from({ length: 1_001 }, (_, at) => `p${at}-`);
    const refused: readonly Filter[] = [
      { regex: nested, prefix: [] },
      { regex: empty, prefix: [] },
      { regex: '(', prefix: [] },
      { regex: '^(?!\\$)', prefix: [] },
      { regex: '', prefix: prefixes },
    ];
    for (const filter of refused) {
      const error = await failureOf(client.read(readRequest(filtered(filter))));
      equal(error.code, status.INVALID_ARGUMENT);
    }
  });
});
