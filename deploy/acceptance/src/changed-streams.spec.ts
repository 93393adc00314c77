import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { defaultNamespace, type EventToAppend, streamOnDisk } from '@sluice/es';
import { connectEventStore, type ConnectedEventStore } from '@sluice/eventstore';
import { type Administrator, administrator } from '@sluice/eventstore/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { connectionsOf } from './connections.ts';
import { type Answer, eventually, json, list, manage, text } from './http.ts';
import { type Instance, startInstance } from './instance.ts';
import { inSecondOrganization } from './organization.ts';

let sluice: Instance;
let store: ConnectedEventStore;
let admin: Administrator;
beforeAll(async () => {
  sluice = await startInstance({ SLUICE_MANAGEMENT_REQUESTS_PER_MINUTE: '1000000' });
  const { eventstore_url: url } = await connectionsOf(sluice);
  store = await connectEventStore({ url, namespace: '' });
  admin = administrator(url);
});
afterAll(async () => {
  await admin?.stop();
  await store?.stop();
  await sluice?.dispose();
});

const name = () => `n-${randomUUID().slice(0, 8)}`;

/** Writes as another program does, without the metadata of Sluice. */
async function writeForeign(stream: string): Promise<void> {
  const metadata = {} as EventToAppend['metadata'];
  const event = { id: randomUUID(), type: 'Whatever', data: { name: 7 }, metadata };
  await store.append(stream, [event], 'any');
}
const ways: Readonly<Record<string, (stream: string) => Promise<void>>> = {
  'is deleted': (stream) => admin.deleteStream(stream),
  'is tombstoned': (stream) => admin.tombstone(stream),
  'has $maxCount 1': (stream) => admin.setMetadata(stream, { maxCount: 1 }),
  'is cut by $tb': (stream) => admin.setMetadata(stream, { truncateBefore: 1 }),
  'has nothing left': (stream) => admin.setMetadata(stream, { truncateBefore: 1_000_000 }),
};
const foreign = 'has a foreign event';

interface Subject {
  readonly stream: string;
  /** Writes an event each time. */
  readonly change: () => Promise<Answer>;
  readonly end: () => Promise<Answer>;
}

async function made(
  path: string,
  body: object,
  instance = sluice,
): Promise<(id: string) => string> {
  const { status, body: answer } = await manage(instance, path, { body });
  equal(status, 201, JSON.stringify(answer));
  return (id) => text(answer['data']?.[id]);
}
const remove = (path: string, instance = sluice) => manage(instance, path, { method: 'DELETE' });

async function resource(
  path: string,
  { category, id: idName, body }: { category: string; id: string; body: object },
): Promise<Subject> {
  const id = (await made(path, body))(idName);
  const own = `${path}/${id}`;
  return {
    stream: `${category}-${id}`,
    change: () => manage(sluice, own, { method: 'PATCH', body: { name: name() } }),
    end: () => remove(own),
  };
}

const kinds: Readonly<Record<string, () => Promise<Subject>>> = {
  'a key': () => resource('/keys', { category: 'apiKey', id: 'hash', body: { name: name() } }),
  'a workspace': () =>
    resource('/workspaces', {
      category: 'workspace',
      id: 'id',
      body: { name: name(), slug: name() },
    }),
  'a guardrail': () =>
    resource('/guardrails', { category: 'guardrail', id: 'id', body: { name: name() } }),
  async 'a workspace with a budget'() {
    const slug = name();
    const id = (await made('/workspaces', { name: slug, slug }))('id');
    const path = `/workspaces/${slug}/budgets/daily`;
    let limit_usd = 1;
    return {
      stream: `workspace-${id}`,
      change: () => manage(sluice, path, { method: 'PUT', body: { limit_usd: limit_usd++ } }),
      end: () => remove(path),
    };
  },
  async 'the guardrails of a key'() {
    const hash = (await made('/keys', { name: name() }))('hash');
    const body = { key_hashes: [hash] };
    let path = '';
    return {
      stream: `keyGuardrail-${hash}`,
      async change() {
        const id = (await made('/guardrails', { name: name() }))('id');
        path = `/guardrails/${id}/assignments/keys`;
        return await manage(sluice, path, { body });
      },
      end: () => manage(sluice, `${path}/remove`, { body }),
    };
  },
  async 'the credentials of an account'() {
    const account = await inSecondOrganization(sluice);
    const body = { provider: 'openai', key: 'sk-upstream-0123456789-AbCd' };
    const id = (await made('/byok', body, account))('id');
    return {
      stream: `byok-${account.bootstrap.organization_id}`,
      change: () => manage(account, '/byok', { body }),
      end: () => remove(`/byok/${id}`, account),
    };
  },
  async 'an account'() {
    const account = await inSecondOrganization(sluice);
    let isOn = false;
    const change = () => {
      isOn = !isOn;
      const body = { is_filtered_model_catalog_enabled: isOn };
      return manage(account, '/organization/settings', { method: 'PATCH', body });
    };
    return { stream: `account-${account.bootstrap.organization_id}`, change, end: change };
  },
};

const isDone = ({ status }: Answer) => status === 200 || status === 201;
const told = ({ status, body }: Answer) => `${status} ${JSON.stringify(body)}`;

/** A key in each way, every other kind in one of them: the int specs of `libs/eventstore` and `libs/read-model` have all. */
const waysOf = (kind: number) =>
  Object.entries(ways).filter((_way, index, all) => kind === 0 || index === kind % all.length);
const numbered = Object.entries(kinds).map(([kind, begin], index) => ({ kind, begin, index }));

describe.each(numbered)('$kind whose stream', ({ begin, index }) => {
  async function changedOnce(): Promise<Subject> {
    const subject = await begin();
    for (let times = 0; times < 2; times++) {
      const answer = await subject.change();
      ok(isDone(answer), told(answer));
    }
    return subject;
  }

  test.each(waysOf(index))('%s takes no command', async (_way, happen) => {
    const { stream, change, end } = await changedOnce();
    await happen(streamOnDisk(defaultNamespace, stream));
    for (const command of [change, change]) {
      const answer = await command();
      equal(answer.status, 404, told(answer));
    }
    const answer = await end();
    ok([200, 404].includes(answer.status), told(answer));
    const next = await begin();
    ok(isDone(await next.change()), 'others go on');
  });

  test(`${foreign} is as before`, async () => {
    const { stream, change, end } = await changedOnce();
    await writeForeign(streamOnDisk(defaultNamespace, stream));
    for (const command of [change, end]) {
      const answer = await command();
      ok(isDone(answer), told(answer));
    }
  });
});

describe('a key whose stream', () => {
  const ask = async (key: string) =>
    (await json(sluice, '/responses', { key, body: { model: 'sim/echo', input: 'x' } })).status;
  const issue = async () => {
    const { body } = await manage(sluice, '/keys', { body: { name: name() } });
    return { key: text(body['key']), hash: text(body['data']?.['hash']) };
  };

  // gone-keys.int.spec.ts of the key service has all ways.
  test.each(Object.entries(ways).slice(0, 2))(
    '%s opens nothing within seconds',
    async (_way, happen) => {
      const [gone, kept] = [await issue(), await issue()];
      deepEqual([await ask(gone.key), await ask(kept.key)], [200, 200]);
      await happen(streamOnDisk(defaultNamespace, `apiKey-${gone.hash}`));
      await eventually(
        () => ask(gone.key),
        (status) => status === 401,
      );
      // The read model of keys and the cache of inference each follow the stream by themselves.
      await eventually(
        async () => (await manage(sluice, `/keys/${gone.hash}`)).status,
        (status) => status === 404,
      );
      const hashes = list((await manage(sluice, '/keys')).body['data']).map(({ hash }) => hash);
      deepEqual(
        [gone.hash, kept.hash].map((one) => hashes.includes(one as never)),
        [false, true],
      );
      deepEqual([await ask(gone.key), await ask(kept.key)], [401, 200]);
      equal((await fetch(`${sluice.adminUrl}/readyz`)).status, 200);
    },
  );
});
