import { deepEqual, equal, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Check, Clean } from 'typebox/value';
import { describe, test } from 'vitest';
import type { EventCodec } from '../codec.ts';
import type { Decider } from '../decider.ts';
import type { Event } from '../event.ts';
import { arbitraryData } from './arbitrary-data.ts';

export interface StoredEventsOptions<State, E extends Event> {
  readonly codec: EventCodec<E>;
  readonly decider: Pick<Decider<never, State, E>, 'category' | 'initial' | 'evolve'>;
  /** The folder of `<Type>.v<schema version>.json`, each one event as it lies on disk. */
  readonly goldenDirectory: string;
}

/** Checks that stored events stay readable: each event has its golden file and survives encoding. */
export function storedEventsSpecification<State, E extends Event>(
  options: StoredEventsOptions<State, E>,
): void {
  const { codec, decider, goldenDirectory } = options;
  const files = readdirSync(goldenDirectory).filter((name) => name.endsWith('.json'));
  const golden = (name: string) =>
    JSON.parse(readFileSync(join(goldenDirectory, name), 'utf8')) as Parameters<
      typeof codec.decode
    >[0];

  describe('events as they were stored', () => {
    test('each schema version of each type has a golden file', () => {
      const expected = codec.types.flatMap((type) => versionsOf(codec, type as E['type']));
      deepEqual(files.toSorted(), expected.toSorted());
    });

    test('lie in streams of the category of the aggregate', () => {
      equal(codec.stream.category, decider.category);
    });

    test.each(files)('%s decodes into its type of today, whose schema it fits', (name) => {
      const event = codec.decode(golden(name));
      equal(event.type, name.slice(0, name.indexOf('.')));
      requireDeclared(codec, event);
    });

    test('fold into a state, in the order of their types', () => {
      const rank = (name: string) => codec.types.indexOf(name.slice(0, name.indexOf('.')));
      const state = files
        .toSorted((one, other) => rank(one) - rank(other))
        .map((name) => codec.decode(golden(name)))
        .reduce(decider.evolve, decider.initial);
      ok(files.length > 0 && state !== decider.initial, 'the events change nothing');
    });
  });

  test.each(codec.types)('any %s comes back from disk as it went', (type) => {
    const schema = codec.stream.events[type];
    ok(schema);
    fc.assert(
      fc.property(arbitraryData(schema), (data) => {
        const event = { type, data } as E;
        const stored = JSON.parse(JSON.stringify(event)) as { type: string; data: unknown };
        const metadata = { schemaVersion: codec.schemaVersion(event.type) };
        const stream = `${decider.category}-1`;
        // Cloned: what is generated may have no prototype.
        deepEqual(codec.decode({ ...stored, id: '1', stream, metadata }), structuredClone(event));
      }),
    );
  });
}

/** Throws on a field that is missing, that has another type, or that the schema does not have. */
function requireDeclared<E extends Event>({ stream }: EventCodec<E>, { type, data }: E): void {
  const schema = stream.events[type];
  ok(schema && Check(schema, data), `the data of ${type} do not fit its schema`);
  deepEqual(Clean(schema, structuredClone(data)), structuredClone(data));
}

function versionsOf<E extends Event>(codec: EventCodec<E>, type: E['type']): readonly string[] {
  return Array.from(
    { length: codec.schemaVersion(type) },
    (_unused, index) => `${type}.v${index + 1}.json`,
  );
}
