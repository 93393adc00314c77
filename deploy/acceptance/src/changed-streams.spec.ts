import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultNamespace, type EventToAppend, streamOnDisk } from '@sluice/es';
import { connectEventStore, type ConnectedEventStore } from '@sluice/eventstore';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { eventually, list, manage, text } from './http.ts';
import { type Instance, startInstance } from './instance.ts';

let sluice: Instance;
let store: ConnectedEventStore;
beforeAll(async () => {
  sluice = await startInstance({});
  const file = join(sluice.dataDirectory, 'run', 'connections.json');
  const { eventstore_url: url } = JSON.parse(await readFile(file, 'utf8')) as {
    eventstore_url: string;
  };
  store = await connectEventStore({ url, namespace: '' });
});
afterAll(async () => {
  await store?.stop();
  await sluice?.dispose();
});

interface Kind {
  readonly path: string;
  readonly category: string;
  readonly idOf: string;
  readonly body: () => Record<string, unknown>;
}
const name = () => `n-${randomUUID().slice(0, 8)}`;
const kinds: readonly Kind[] = [
  { path: '/keys', category: 'apiKey', idOf: 'hash', body: () => ({ name: name() }) },
  {
    path: '/workspaces',
    category: 'workspace',
    idOf: 'id',
    body: () => ({ name: name(), slug: name() }),
  },
  { path: '/guardrails', category: 'guardrail', idOf: 'id', body: () => ({ name: name() }) },
];

/** Writes as an administrator of the event store would, without our metadata. */
async function write(stream: string, type: string, data: object): Promise<void> {
  const metadata = {} as EventToAppend['metadata'];
  await store.append(stream, [{ id: randomUUID(), type, data, metadata }], 'any');
}
const changes: Readonly<Record<string, (stream: string) => Promise<void>>> = {
  'has a foreign event': (stream) => write(stream, 'Whatever', { name: 7 }),
  'has $maxCount 1': (stream) => write(`$$${stream}`, '$metadata', { $maxCount: 1 }),
  'is cut by $tb': (stream) => write(`$$${stream}`, '$metadata', { $tb: 1 }),
  'has nothing left': (stream) => write(`$$${stream}`, '$metadata', { $tb: 1_000_000 }),
};

async function create({ path, idOf, body }: Kind): Promise<string> {
  const { status, body: answer } = await manage(sluice, path, { body: body() });
  equal(status, 201);
  return text(answer['data']?.[idOf]);
}
const patch = (path: string) => manage(sluice, path, { method: 'PATCH', body: { name: name() } });

describe.each(kinds)('a stream of $path that somebody', (kind) => {
  test.each(Object.keys(changes))('%s', async (change) => {
    const id = await create(kind);
    const path = `${kind.path}/${id}`;
    equal((await patch(path)).status, 200);
    await changes[change]?.(streamOnDisk(defaultNamespace, `${kind.category}-${id}`));
    const statuses = [
      (await patch(path)).status,
      (await manage(sluice, path, { method: 'DELETE' })).status,
    ];
    for (const status of statuses) ok([200, 404, 410].includes(status), `${change}: ${status}`);
    if (change === 'has a foreign event') deepEqual(statuses, [200, 200]);
    // The projections went on: the list shows the next key.
    const next = await create(kind);
    const ids = async () =>
      list((await manage(sluice, kind.path)).body['data']).map((one) => one[kind.idOf]);
    await eventually(ids, (all) => all.includes(next as never));
    equal((await patch(`${kind.path}/${next}`)).status, 200);
  });
});
