import { deepEqual, equal, rejects } from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { type FileStore, StoreUnavailable } from '@sluice/file-store';
import { eventually } from '@sluice/patience';
import { contentOf, uploadFile } from '@sluice/workspace-files';
import { withoutAccountFilters } from '@sluice/read-model/testing';
import { afterEach, describe, inject, test } from 'vitest';
import {
  aContext,
  organizationId as accountId,
  workspaceWorld,
  type WorkspaceWorld,
} from './testing/workspace-world.ts';

let world: WorkspaceWorld;
afterEach(() => world.stop());

type Options = Omit<Parameters<typeof workspaceWorld>[0], 'postgresUrl'>;
async function open(options: Options = {}) {
  world = await workspaceWorld({ postgresUrl: inject('postgresUrl'), ...options });
  const workspaceId = await world.create();
  return { workspaceId, named: { accountId, workspaceId } };
}

async function* chunks(...texts: readonly string[]) {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

const upload = (workspaceId: string, content: AsyncIterable<Uint8Array>, name = 'a.txt') =>
  uploadFile(
    world.files,
    { context: aContext(), workspaceId, name, mediaType: 'text/plain' },
    content,
  );
const textOf = async (workspaceId: string, fileId: string) =>
  Buffer.concat(
    await Array.fromAsync(contentOf(world.files, { accountId, workspaceId, fileId })),
  ).toString();
const stored = async (workspaceId: string, fileId: string) =>
  (await world.store.open({ accountId, workspaceId, fileId })) !== undefined;
const all = { namePart: '', offset: 0, limit: 100 };

describe('a file of a workspace', () => {
  test('is stored, listed, read and deleted', async () => {
    const { workspaceId, named } = await open();
    const file = await upload(workspaceId, chunks('one ', 'two'));
    deepEqual(
      { ...file, fileId: '', createdAt: '' },
      {
        fileId: '',
        workspaceId,
        name: 'a.txt',
        mediaType: 'text/plain',
        bytes: 7n,
        sha256: createHash('sha256').update('one two').digest('hex'),
        createdAt: '',
      },
    );
    const { fileId } = file;
    deepEqual(await world.files.listFiles({ ...named, ...all }), { files: [file], totalCount: 1 });
    deepEqual(await world.files.getFile({ ...named, fileId }), { file });
    equal(await textOf(workspaceId, fileId), 'one two');
    await world.files.deleteFile({ context: aContext(), workspaceId, fileId });
    await rejects(world.files.getFile({ ...named, fileId }), { code: 'not_found' });
    await rejects(textOf(workspaceId, fileId), { code: 'not_found' });
    await eventually(async () => equal(await stored(workspaceId, fileId), false));
  });

  test('of several parts is as it was sent', async () => {
    const { workspaceId } = await open();
    const text = 'abcdefghij'.repeat(250_000);
    const { fileId, bytes } = await upload(workspaceId, chunks(text));
    equal(bytes, 2_500_000n);
    equal((await textOf(workspaceId, fileId)) === text, true);
  });

  test('is found by a part of its name', async () => {
    const { workspaceId, named } = await open();
    for (const name of ['Report.csv', 'notes.txt', '100%.txt'])
      await upload(workspaceId, chunks(name), name);
    const namesOf = async (namePart: string) =>
      (await world.files.listFiles({ ...named, ...all, namePart })).files.map(({ name }) => name);
    deepEqual(await namesOf('REPORT'), ['Report.csv']);
    deepEqual(await namesOf('%'), ['100%.txt']);
    await rejects(namesOf('a\0'), { code: 'invalid_request' });
    for (const fileId of ['a\0b', '', 'x'.repeat(3_000)]) {
      await rejects(world.files.getFile({ ...named, fileId }), { code: 'not_found' });
      const asked = { context: aContext(), workspaceId, fileId };
      await rejects(world.files.deleteFile(asked), { code: 'not_found' });
    }
    deepEqual((await namesOf('')).toSorted(), ['100%.txt', 'Report.csv', 'notes.txt']);
  });

  test('is that of its workspace and its account alone', async () => {
    const { workspaceId, named } = await open();
    const { fileId } = await upload(workspaceId, chunks('mine'));
    const other = await world.create();
    const stranger = { ...named, accountId: 'org_2', fileId };
    const elsewhere = { ...named, workspaceId: other, fileId };
    await rejects(world.files.getFile(elsewhere), { code: 'not_found' });
    await rejects(world.files.getFile(stranger), { code: 'not_found' });
    const context = aContext();
    const asked = { context, workspaceId: other, fileId };
    await rejects(world.files.deleteFile(asked), { code: 'not_found' });
    await world.restart({ database: withoutAccountFilters(world.database) });
    await rejects(world.files.getFile(stranger), { code: 'not_found' });
    equal(await textOf(workspaceId, fileId), 'mine');
  });

  test('without a workspace is in the default one', async () => {
    await open();
    await rejects(upload('', chunks('x')), { code: 'not_found' });
    const standard = await world.create({ isDefault: true });
    equal((await upload('', chunks('x'))).workspaceId, standard);
  });
});

describe('an upload', () => {
  test('that is empty, is named like no file, or breaks off leaves nothing', async () => {
    const { workspaceId, named } = await open();
    await rejects(upload(workspaceId, chunks()), { code: 'invalid_request' });
    await rejects(upload(workspaceId, chunks('x'), '../x'), { code: 'invalid_request' });
    const broken = (async function* () {
      yield* chunks('begun');
      throw new Error('the client has left');
    })();
    await rejects(upload(workspaceId, broken), /the client has left/);
    deepEqual(await world.files.listFiles({ ...named, ...all }), { files: [], totalCount: 0 });
  });

  test('takes its parts in their order alone', async () => {
    const { workspaceId } = await open();
    const begun = { context: aContext(), workspaceId, name: 'a', mediaType: '' };
    const { fileId } = await world.files.beginUpload(begun);
    const part = { accountId, fileId, content: Buffer.from('x') };
    await rejects(world.files.writePart({ ...part, offset: 1n }), { code: 'conflict' });
    await rejects(world.files.writePart({ ...part, accountId: 'org_2', offset: 0n }), {
      code: 'not_found',
    });
    const long = Buffer.alloc(1_048_577);
    await rejects(world.files.writePart({ ...part, content: long, offset: 0n }), {
      code: 'invalid_request',
    });
    await world.files.writePart({ ...part, offset: 0n });
    const { file } = await world.files.completeUpload({ context: aContext(), fileId });
    deepEqual([file?.bytes, file?.mediaType], [1n, 'application/octet-stream']);
  });

  test('beside others passes no bound, and leaves no content where it is refused', async () => {
    const { workspaceId, named } = await open({ limits: { filesMax: 100, bytesMax: 10 } });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => upload(workspaceId, chunks('1234'))),
    );
    const kept = outcomes.filter(({ status }) => status === 'fulfilled');
    equal(kept.length, 2);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        equal((outcome.reason as { code?: string }).code, 'conflict');
    equal((await world.files.listFiles({ ...named, ...all })).totalCount, 2);
  });
});

describe('the content of a deleted file', () => {
  const failing = (store: FileStore, fails: { now: boolean }): FileStore => ({
    ...store,
    async remove(key) {
      if (fails.now) throw new StoreUnavailable('away');
      await store.remove(key);
    },
  });

  test('is removed when the store answers again, also by the next process', async () => {
    const fails = { now: true };
    const { workspaceId } = await open({ wrapStore: (store) => failing(store, fails) });
    const { fileId } = await upload(workspaceId, chunks('x'));
    await world.files.deleteFile({ context: aContext(), workspaceId, fileId });
    equal(await stored(workspaceId, fileId), true);
    await world.restart();
    equal(await stored(workspaceId, fileId), true);
    fails.now = false;
    await eventually(async () => equal(await stored(workspaceId, fileId), false));
  });

  test('and of each file is removed with the workspace', async () => {
    const { workspaceId } = await open();
    const files = await Promise.all(['a', 'b'].map((text) => upload(workspaceId, chunks(text))));
    const gone = { context: aContext(), workspaceRef: workspaceId, confirmDefault: false };
    await world.client.deleteWorkspace(gone);
    for (const { fileId } of files)
      await eventually(async () => equal(await stored(workspaceId, fileId), false));
    const context = aContext(accountId, randomUUID());
    const late = { context, workspaceId, name: 'a', mediaType: '' };
    await rejects(world.files.beginUpload(late), { code: 'not_found' });
  });
});
