import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { Repository } from '../repository.ts';
import { storedStreams } from './streams.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-event-docs-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const golden = 'services/notes/src/domain/note/golden';
const store = 'services/notes/src/store/note-events.ts';
const reaction = 'services/notes/src/reactions/tell.ts';

const sound: Readonly<Record<string, string>> = {
  [store]: `
    export const noteEvents = {
      stream: {
        category: 'note',
        id: '<id>',
        description: 'A note.',
        events: {
          NoteTaken: { type: 'object', description: 'A user wrote it.' },
          NoteLost: { type: 'object', description: 'It is gone.' },
        },
      },
      schemaVersion: (type) => (type === 'NoteTaken' ? 2 : 1),
    };`,
  [`${golden}/NoteTaken.v1.json`]: '{ "data": {} }',
  [`${golden}/NoteTaken.v2.json`]: '{ "data": { "length": 3 } }',
  [`${golden}/NoteLost.v1.json`]: '{ "data": { "at": "today" } }',
  'services/notes/src/read-models.ts': `
    export const notesReadModels = {
      projections: [
        { projection: 'notes.notes', tables: ['notes', 'words'], streamPrefixes: ['note-'] },
        { projection: 'notes.others', tables: ['others'], streamPrefixes: ['other-'] },
      ],
    };`,
  [reaction]: `
    import { noteEvents } from '../store/note-events.ts';
    const streamPrefixes = [noteEvents.streamPrefix];
    export const tell = (bus) => ({ projection: 'notes.tell', streamPrefixes });`,
};

async function read(changed: Readonly<Record<string, string>> = {}) {
  for (const [path, text] of Object.entries({ ...sound, ...changed })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return await storedStreams(new Repository(root));
}

const replaced = (path: string, from: string, to: string) => {
  const text = sound[path] ?? '';
  equal(text.includes(from), true);
  return { [path]: text.replace(from, to) };
};

describe('the streams of a checkout', () => {
  test('are read with their versions, golden files and readers', async () => {
    const [note, ...others] = await read();
    deepEqual(others, []);
    equal(note?.name, 'note-<id>');
    deepEqual(note.events, [
      {
        type: 'NoteTaken',
        description: 'A user wrote it.',
        schemaVersion: 2,
        schema: { type: 'object' },
        golden: [{ data: {} }, { data: { length: 3 } }],
      },
      {
        type: 'NoteLost',
        description: 'It is gone.',
        schemaVersion: 1,
        schema: { type: 'object' },
        golden: [{ data: { at: 'today' } }],
      },
    ]);
    deepEqual(note.readers, [
      { kind: 'projection', name: 'notes.notes', tables: ['notes', 'words'] },
      { kind: 'reaction', name: 'notes.tell', tables: [] },
    ]);
  });

  test('are refused when a version has no golden file', async () => {
    await rejects(read(replaced(store, '? 2 : 1', '? 2 : 2')), /NoteLost\.v2\.json: found 0/);
  });

  test('are refused when an event has no description', async () => {
    await rejects(
      read(replaced(store, ", description: 'It is gone.'", '')),
      /the schema of NoteLost has no description/,
    );
  });

  test('are refused when a reaction follows nothing that is known', async () => {
    await rejects(
      read(replaced(reaction, '../store/note-events.ts', '../store/others.ts')),
      /tell\.ts: which streams does it follow\?/,
    );
  });
});
