import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { subjectFilters } from '@sluice/bus';
import { type EventMetadata, metastreamOf } from '@sluice/es';
import { KeyChanged } from '@sluice/protos/sluice/key/v1/key_events';
import { compareProjection } from '@sluice/read-model';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { apiKeysProjection } from './projections/api-keys.ts';
import { keyStatesProjection } from './projections/key-states.ts';
import { keyReadModels } from './read-models.ts';
import { aContext, defaultWorkspaceId, keyWorld, type KeyWorld } from './testing/key-world.ts';

const postgresUrl = inject('postgresUrl');
let world: KeyWorld;
let notices: KeyChanged[];
beforeEach(async () => {
  world = await keyWorld({ postgresUrl });
  notices = [];
  const { signal } = new AbortController();
  const note = ({ data }: { data: unknown }) => void notices.push(KeyChanged.fromJSON(data));
  await world.bus.subscribe(subjectFilters.keyChanged, note, { signal });
});
afterEach(() => world.stop());

/** The administrator of the event store: it has no metadata of ours. */
const write = (stream: string, type: string, data: object) =>
  world.eventStore.append(
    stream,
    [{ id: randomUUID(), type, data, metadata: {} as EventMetadata }],
    'any',
  );
const ways: Readonly<Record<string, (stream: string) => Promise<unknown>>> = {
  tombstoned: (stream) => write(stream, '$streamDeleted', {}),
  deleted: (stream) => write(metastreamOf(stream), '$metadata', { $tb: Number(2n ** 63n - 1n) }),
  'cut by $tb': (stream) => write(metastreamOf(stream), '$metadata', { $tb: 1 }),
  'cut by $maxCount': (stream) => write(metastreamOf(stream), '$metadata', { $maxCount: 1 }),
};
const counted = { accountId: 'org_1', workspaceId: defaultWorkspaceId };
const notFound = { code: 'not_found' };
const refused = () => notices.filter(({ isRevoked }) => isRevoked).map(({ hash }) => hash);

async function expectGone({ hash, secret }: { hash: string; secret: string }): Promise<void> {
  const { client } = world;
  await world.until(async () => {
    await rejects(client.resolveKey({ hash, secret }), notFound);
    await rejects(client.resolveKey({ hash, secret, atLeastRevision: 5n }), notFound);
    await rejects(client.getKey({ accountId: 'org_1', hash }), notFound);
    equal((await client.beginClosing({ ...counted, creatorUserIds: [] })).keyCount, 1n);
    deepEqual(refused(), [hash]);
  });
}

describe.each(Object.entries(ways))('a key whose stream is %s', (_name, remove) => {
  test.each(['while the service runs', 'while it does not'] as const)(
    'opens nothing and is shown nowhere: %s',
    async (when) => {
      const [gone, kept] = [await world.issue(), await world.issue()];
      const { hash } = gone.key;
      await world.client.resolveKey({ hash, secret: gone.secret });
      await world.until(() => equal(notices.length >= 2, true));
      const stream = `apiKey-${hash}`;
      if (when === 'while the service runs') await remove(stream);
      else await world.restart({}, () => remove(stream));
      await expectGone({ hash, secret: gone.secret });
      const { key } = await world.client.resolveKey({ hash: kept.key.hash, secret: kept.secret });
      equal(key?.hash, kept.key.hash);
      for (const projection of [apiKeysProjection, keyStatesProjection]) {
        const { differences } = await compareProjection({
          postgresUrl,
          eventStore: world.eventStore,
          readModels: { ...keyReadModels, schema: world.database.schema },
          projection,
          onProgress: () => {},
          signal: new AbortController().signal,
        });
        deepEqual(differences, []);
      }
    },
  );
});

test('a command for a key whose stream was deleted is refused, and the key does not begin again', async () => {
  const { key } = await world.issue();
  await write(metastreamOf(`apiKey-${key.hash}`), '$metadata', { $tb: Number(2n ** 63n - 1n) });
  await rejects(world.client.deleteKey({ context: aContext(), hash: key.hash }), (error) =>
    ['not_found', 'stream_gone'].includes((error as { code: string }).code),
  );
});
