import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { Repository } from '../repository.ts';
import { storedAggregates } from './aggregates.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-event-docs-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const domain = 'services/notes/src/domain/note';
const store = 'services/notes/src/store/note-events.ts';
const projection = 'services/notes/src/projections/notes.ts';
const reaction = 'services/notes/src/reactions/tell.ts';

const sound: Readonly<Record<string, string>> = {
  [store]: `
    // Stands for the codec: eventCodec<NoteEvent>, import type { NoteEvent } from '../domain/note/events.ts';
    /** In streams \`note-<id>\`. */
    export const noteEvents = {
      types: ['NoteTaken', 'NoteLost'],
      schemaVersion: (type) => (type === 'NoteTaken' ? 2 : 1),
      decode: ({ type, data }) => ({ type, data: type === 'NoteTaken' ? { length: 0, ...data } : data }),
    };
    export const noteStreamPrefix = 'note-';`,
  [`${domain}/events.ts`]: `
    /** Changes of a note. */
    export type NoteEvent = NoteTaken | NoteLost;
    /** A user wrote it. */
    interface NoteTaken { readonly type: 'NoteTaken'; readonly data: { readonly length: number } }
    interface NoteLost { readonly type: 'NoteLost'; readonly data: { readonly at: string } }`,
  [`${domain}/golden/NoteTaken.v1.json`]: '{ "type": "NoteTaken", "data": {} }',
  [`${domain}/golden/NoteTaken.v2.json`]: '{ "type": "NoteTaken", "data": { "length": 3 } }',
  [`${domain}/golden/NoteLost.v1.json`]: '{ "type": "NoteLost", "data": { "at": "today" } }',
  [projection]: `
    import { noteEvents } from '../store/note-events.ts';
    /** Keeps the notes. */
    export const notesProjection: Projection = {
      projection: 'notes.notes',
      version: 3,
      tables: ['notes', 'words'],
      apply,
    };
    switch (event.type) {
      case 'NoteTaken':
        return insert(event.data);
      case 'NoteLost':
        // Lost notes are kept.
        break;
    }`,
  [reaction]: `
    import { noteStreamPrefix } from '../store/note-events.ts';
    /** Not this. */
    export function other(): void {}
    /** Tells everybody. */
    export function tell(bus: Bus): Projection {
      return { projection: 'notes.tell', version: 1, tables: [],
        apply: () => bus.publish(subjects.noteChanged(id)) };
    }`,
};

async function read(changed: Readonly<Record<string, string>> = {}) {
  for (const [path, text] of Object.entries({ ...sound, ...changed })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return await storedAggregates(new Repository(root));
}

const replaced = (path: string, from: string, to: string) => {
  const text = sound[path] ?? '';
  equal(text.includes(from), true);
  return { [path]: text.replace(from, to) };
};

describe('the stored events of a checkout', () => {
  test('are read with their versions, golden files and readers', async () => {
    const [note, ...others] = await read();
    deepEqual(others, []);
    equal(note?.streamPattern, 'note-<id>');
    equal(note.declarations, sound[`${domain}/events.ts`]?.trimEnd());
    deepEqual(
      note.events.map(({ type, schemaVersion, example, earlierVersions }) => [
        type,
        schemaVersion,
        example.data,
        earlierVersions.map(({ version }) => version),
      ]),
      [
        ['NoteTaken', 2, { length: 3 }, [1]],
        ['NoteLost', 1, { at: 'today' }, []],
      ],
    );
    deepEqual(note.readers, [
      {
        kind: 'projection',
        name: 'notes.notes',
        version: 3,
        comment: 'Keeps the notes.',
        file: projection,
        handles: ['NoteTaken'],
        tables: ['notes', 'words'],
        publishes: [],
      },
      {
        kind: 'reaction',
        name: 'notes.tell',
        version: 1,
        comment: 'Tells everybody.',
        file: reaction,
        handles: ['NoteTaken', 'NoteLost'],
        tables: [],
        publishes: ['noteChanged'],
      },
    ]);
  });

  test('are refused when the codec has an event that is not declared', async () => {
    await rejects(
      read(replaced(`${domain}/events.ts`, 'NoteTaken | NoteLost;', 'NoteTaken;')),
      /NoteLost\.v1\.json does not fit today's NoteLost: .*'never'/,
    );
  });

  test('are refused when a type is declared in another file, which the page would not show', async () => {
    await rejects(
      read({ [`${domain}/events.ts`]: `import type { Text } from './text.ts';` }),
      /events\.ts: it has to declare all types of its events itself/,
    );
  });

  test('are refused when a field has another type than its golden file', async () => {
    await rejects(
      read({
        [`${domain}/golden/NoteTaken.v2.json`]:
          '{ "type": "NoteTaken", "data": { "length": "3" } }',
      }),
      /NoteTaken\.v2\.json does not fit today's NoteTaken: .*'string' is not assignable to type 'number'/,
    );
  });

  test('are refused when a golden file is of another shape', async () => {
    const golden = `${domain}/golden/NoteLost.v1.json`;
    await rejects(
      read({ [golden]: '{ "type": "NoteLost", "data": { "at": "today", "by": "me" } }' }),
      /NoteLost\.v1\.json does not fit today's NoteLost: .*'"by"' does not exist/,
    );
  });

  test('are refused when a version has no golden file', async () => {
    await rejects(read(replaced(store, '? 2 : 1', '? 2 : 2')), /NoteLost\.v2\.json cannot be read/);
  });

  test('are refused when an earlier version is not upcast to today’s shape', async () => {
    await rejects(
      read(replaced(store, '{ length: 0, ...data }', 'data')),
      /NoteTaken\.v1\.json does not fit today's NoteTaken: .*'length' is missing/,
    );
  });

  test('are refused when the comment names another stream than the prefix', async () => {
    await rejects(read(replaced(store, '`note-<id>', '`notes-<id>')), /its stream prefix is note-/);
  });

  test('are refused when a projection forgets an event', async () => {
    await rejects(read(replaced(projection, "case 'NoteLost':", '')), /no case for NoteLost/);
  });

  test('are refused when a reaction follows nothing that is known', async () => {
    await rejects(
      read(replaced(reaction, '../store/note-events.ts', '../store/others.ts')),
      /which events does it follow\? services\/notes\/src\/reactions\/tell\.ts/,
    );
  });

  test('are refused when a reaction does not say what it does', async () => {
    await rejects(
      read(replaced(reaction, '/** Tells everybody. */', '')),
      /tell\.ts: a documented Projection/,
    );
  });
});
