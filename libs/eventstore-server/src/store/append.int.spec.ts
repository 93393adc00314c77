import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { AppendModel, asModelOutcome, type ModelAppend } from '../testing/append-model.ts';
import { anEvent, append, everything } from '../testing/events.ts';
import { openStore, scratchDirectory } from '../testing/scratch.ts';
import type { EventLogStore } from './event-log-store.ts';
import { idText } from './uuid.ts';

const idPool = [...Array(6).keys()].map((n) => `00000000-0000-4000-8000-00000000000${n}`);

const anAppend: fc.Arbitrary<ModelAppend> = fc.record({
  stream: fc.constantFrom('a-1', 'b-1'),
  expected: fc.oneof(
    fc.constantFrom('any' as const, 'no_stream' as const, 'stream_exists' as const),
    fc.nat({ max: 6 }),
  ),
  ids: fc.array(fc.constantFrom(...idPool), { minLength: 1, maxLength: 3 }),
});
/** A group is written at once, by writers that do not wait for each other. */
const aHistory = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.array(anAppend, { minLength: 1, maxLength: 6 }) },
    { weight: 1, arbitrary: fc.constant('restart' as const) },
  ),
  { minLength: 1, maxLength: 12 },
);

async function logOf(store: EventLogStore) {
  const events = await everything(store);
  return events.map(({ stream, record }) => ({ stream, id: idText(record.id) }));
}

describe('appending', () => {
  test('answers and writes what the model says, for any interleaving and over restarts', async () => {
    await fc.assert(
      fc.asyncProperty(aHistory, async (history) => {
        const directory = await scratchDirectory();
        const model = new AppendModel();
        let store = await openStore(directory, { segmentBytesMax: 500 });
        for (const step of history) {
          if (step === 'restart') {
            model.restart();
            await store.close();
            store = await openStore(directory, { segmentBytesMax: 500 });
            continue;
          }
          const expected = step.map((each) => model.append(each));
          const outcomes = step.map(async ({ ids, ...rest }) => {
            const events = ids.map((id) => anEvent({}, id));
            return asModelOutcome(await store.append({ ...rest, events }));
          });
          deepEqual(await Promise.all(outcomes), expected);
        }
        deepEqual(await logOf(store), model.log);
        await store.close();
      }),
      { numRuns: 60 },
    );
  });

  test('gives each event a later position than the one before, and answers with the last', async () => {
    const store = await openStore(await scratchDirectory(), { segmentBytesMax: 300 });
    for (let n = 0; n < 12; n++) {
      const events = [anEvent({ n }), anEvent({ n })];
      const outcome = await store.append({ stream: 'a-1', expected: 'any', events });
      equal(
        outcome.kind === 'written' && outcome.position,
        (await everything(store)).at(-1)?.position,
      );
    }
    const positions = (await everything(store)).map(({ position }) => position);
    deepEqual(
      positions,
      [...new Set(positions)].toSorted((a, b) => a - b),
    );
  });

  test('of no events says where the stream and the log end, and writes nothing', async () => {
    const store = await openStore(await scratchDirectory());
    const nothing = { stream: 'a-1', expected: 'any', events: [] } as const;
    const position = store.endPosition;
    deepEqual(await store.append(nothing), { kind: 'written', revision: undefined, position });
    await append(store, 'a-1', {});
    const outcome = await store.append(nothing);
    ok(outcome.kind === 'written' && outcome.position !== undefined);
    equal(outcome.revision, 0);
    ok(outcome.position > store.index.positionAt(0));
    equal(store.index.visible, 1);
  });

  test('of an empty list behind the last revision is refused', async () => {
    const store = await openStore(await scratchDirectory());
    await append(store, 'a-1', {});
    const outcome = await store.append({ stream: 'a-1', expected: 'no_stream', events: [] });
    equal(outcome.kind, 'wrong_expected_version');
  });

  test('with the same ids at exactly the last revision writes them again', async () => {
    const store = await openStore(await scratchDirectory());
    const events = [anEvent({ n: 1 })];
    await store.append({ stream: 'a-1', expected: 'no_stream', events });
    deepEqual(asModelOutcome(await store.append({ stream: 'a-1', expected: 0, events })), {
      wrote: 1,
    });
  });
});
