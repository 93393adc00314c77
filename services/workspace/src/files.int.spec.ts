import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { systemClock } from '@sluice/clock-and-ids';
import { inMemoryEventStore, systemContext } from '@sluice/es';
import { type FileStore, StoreUnavailable } from '@sluice/file-store';
import { eventually } from '@sluice/patience';
import { UploadFileRequest } from '@sluice/protos/sluice/workspace/v1/file';
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
const all = { namePart: '', offset: 0, limit: 100, after: '', isAscending: false };

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
    deepEqual(await world.files.listFiles({ ...named, ...all }), {
      files: [file],
      totalCount: 1,
      hasMore: false,
    });
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
    deepEqual(await namesOf(''), ['100%.txt', 'notes.txt', 'Report.csv']);
  });

  test('is listed in pages that begin after another one', async () => {
    const { workspaceId, named } = await open();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c'])
      ids.push((await upload(workspaceId, chunks(name), name)).fileId);
    const [a = '', b = '', c = ''] = ids;
    const page = async (more: Partial<typeof all>) => {
      const { files, hasMore } = await world.files.listFiles({ ...named, ...all, ...more });
      return [files.map(({ fileId }) => fileId), hasMore];
    };
    deepEqual(await page({ limit: 2 }), [[c, b], true]);
    deepEqual(await page({ limit: 2, after: b }), [[a], false]);
    deepEqual(await page({ isAscending: true, after: a }), [[b, c], false]);
    for (const after of ['x', `svc_file_${'0'.repeat(32)}`])
      await rejects(page({ after }), { code: 'invalid_request' });
  });

  test('whose content lies elsewhere cannot be read now', async () => {
    const { workspaceId } = await open();
    const { fileId } = await upload(workspaceId, chunks('x'));
    await world.store.remove({ accountId, workspaceId, fileId });
    await rejects(textOf(workspaceId, fileId), { code: 'unavailable' });
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

  test('that is an export is seen by those alone who may see exports', async () => {
    const { workspaceId, named } = await open();
    const file = await upload(workspaceId, chunks('a'));
    const described = {
      context: aContext(),
      workspaceId,
      name: 'usage.csv',
      mediaType: 'text/csv',
    };
    const made = await uploadFile(world.files, { ...described, isExport: true }, chunks('b'));
    const { fileId } = made;
    const idsOf = async (asked: object) =>
      (await world.files.listFiles({ ...named, ...all, ...asked })).files.map((one) => one.fileId);
    deepEqual(await idsOf({}), [file.fileId]);
    deepEqual(await idsOf({ includesExports: true }), [fileId, file.fileId]);
    const counted = await world.files.listFiles({ ...named, ...all });
    equal(counted.totalCount, 1);
    const asked = { ...named, fileId };
    const range = { offset: 0n, length: 1 };
    await rejects(world.files.getFile(asked), { code: 'not_found' });
    await rejects(world.files.readFile({ ...asked, ...range }), { code: 'not_found' });
    await rejects(idsOf({ after: fileId }), { code: 'invalid_request' });
    const removed = { context: aContext(), workspaceId, fileId };
    await rejects(world.files.deleteFile(removed), { code: 'not_found' });
    const { content } = await world.files.readFile({ ...asked, ...range, includesExports: true });
    equal(content.toString(), 'b');
    await world.files.deleteFile({ ...removed, includesExports: true });
    deepEqual(await idsOf({ includesExports: true }), [file.fileId]);
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
    deepEqual(await world.files.listFiles({ ...named, ...all }), {
      files: [],
      totalCount: 0,
      hasMore: false,
    });
  });

  test('without its last message, or with a long one, leaves nothing', async () => {
    const { workspaceId, named } = await open();
    const of = { context: aContext(), workspaceId, name: 'a' };
    const send = (...messages: readonly Partial<UploadFileRequest>[]) =>
      world.files.uploadFile(
        (async function* () {
          for (const message of messages)
            yield await Promise.resolve(UploadFileRequest.create(message));
        })(),
      );
    await rejects(send(), { code: 'unavailable' });
    await rejects(send({ ...of, content: Buffer.from('x') }), { code: 'unavailable' });
    await rejects(send({ ...of, content: Buffer.alloc(1_048_577) }), { code: 'invalid_request' });
    deepEqual(await world.files.listFiles({ ...named, ...all }), {
      files: [],
      totalCount: 0,
      hasMore: false,
    });
    const { file } = await send(
      { ...of, context: aContext(), content: Buffer.from('x') },
      { isLast: true },
    );
    deepEqual([file?.bytes, file?.mediaType], [1n, 'application/octet-stream']);
  });

  test('that ended with its process is ended at the next start', async () => {
    const { workspaceId } = await open();
    const fileId = `svc_file_${'1'.repeat(32)}`;
    const begunAt = '2026-01-01T00:00:00.000Z';
    const data = { accountId, workspaceId, fileId, begunAt };
    await world.store.put(data, chunks('half'), { bytesMax: 9 });
    const commandId = randomUUID();
    const context = systemContext('workspace', { commandId, cause: 'spec', occurredAt: begunAt });
    const { actor, requestId } = context;
    const metadata = {
      schemaVersion: 1,
      occurredAt: begunAt,
      commandId,
      actor,
      requestId,
      $correlationId: requestId,
      $causationId: commandId,
    };
    const begun = { id: randomUUID(), type: 'FileUploadBegun', data, metadata };
    await world.eventStore.append(`workspaceFiles-${workspaceId}`, [begun], 'no_stream');
    const text = 'SELECT file_id FROM file_uploads';
    await eventually(async () =>
      equal((await world.database.query({ text, values: [] })).length, 1),
    );
    equal(await stored(workspaceId, fileId), true);
    await world.restart();
    await eventually(async () => equal(await stored(workspaceId, fileId), false));
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

describe('the files of a workspace', () => {
  test('are served by each of several processes', async () => {
    const { workspaceId, named } = await open({ limits: { filesMax: 100, bytesMax: 10 } });
    const other = await world.startReplica();
    const there = (text: string) =>
      uploadFile(
        other.files,
        { context: aContext(), workspaceId, name: 'b', mediaType: '' },
        chunks(text),
      );
    const outcomes = await Promise.allSettled([
      upload(workspaceId, chunks('1234')),
      there('1234'),
      upload(workspaceId, chunks('1234')),
      there('1234'),
    ]);
    const kept = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    equal(kept.length, 2);
    for (const { fileId } of kept) {
      equal(await textOf(workspaceId, fileId), '1234');
      await eventually(() => other.files.getFile({ ...named, fileId }));
      const asked = { context: aContext(), workspaceId, fileId };
      await other.files.deleteFile(asked);
    }
    await eventually(async () =>
      equal((await world.files.listFiles({ ...named, ...all })).totalCount, 0),
    );
    await other.stop();
  });

  test('are changed without reading all that ever was', async () => {
    let reads = 0;
    const inner = inMemoryEventStore(systemClock);
    const eventStore = {
      ...inner,
      async *read(stream: string, ...rest: [bigint?, AbortSignal?]) {
        for await (const event of inner.read(stream, ...rest)) {
          if (stream.startsWith('workspaceFiles-')) reads += 1;
          yield event;
        }
      },
    };
    const { workspaceId } = await open({ eventStore });
    const change = async () => {
      const { fileId } = await upload(workspaceId, chunks('x'));
      await world.files.deleteFile({ context: aContext(), workspaceId, fileId });
    };
    for (let each = 0; each < 20; each += 1) await change();
    reads = 0;
    await change();
    // Three commands read the last event that the read model has, and what it has not yet.
    ok(reads <= 9, `${reads} events were read`);
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
    await rejects(uploadFile(world.files, late, chunks('x')), { code: 'not_found' });
  });
});
