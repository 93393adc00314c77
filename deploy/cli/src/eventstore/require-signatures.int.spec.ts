import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connectEventStore, type ConnectedEventStore } from '@sluice/eventstore';
import { eventually } from '@sluice/patience';
import { afterAll, beforeAll, inject, test } from 'vitest';
import { sluice } from '../testing/sluice.ts';
import { contextOf, startWorkspaces, type Workspaces } from '../testing/workspaces.ts';

const projection = 'workspace.workspaces';
const key = 'the-key-of-the-installation-1234567890';
let workspaces: Workspaces;
/** The connection of another program whose user may write. It does not know what the installation requires. */
let stranger: ConnectedEventStore;
/** The same program with a key that is not the one of the services. */
let signing: ConnectedEventStore;

beforeAll(async () => {
  workspaces = await startWorkspaces(inject('postgresUrl'));
  const url = workspaces.env.SLUICE_EVENTSTORE_URL;
  stranger = await connectEventStore({ url, namespace: '' });
  signing = await connectEventStore({ url, namespace: '', eventKey: 'x'.repeat(32) });
});
afterAll(async () => {
  await stranger?.stop();
  await signing?.stop();
  await workspaces?.stop();
});

const run = (...words: readonly string[]) => sluice(words, workspaces.env);
const runWithKey = (...words: readonly string[]) =>
  sluice(words, { ...workspaces.env, SLUICE_EVENT_KEY: key });

const rename = (workspaceRef: string, name: string) =>
  workspaces.client.updateWorkspace({
    context: contextOf(),
    workspaceRef,
    name,
    slug: undefined,
    settings: undefined,
    changedSettings: [],
  });

async function names(): Promise<Readonly<Record<string, string>>> {
  const page = { accountId: 'org_1', offset: 0, limit: 100 };
  const { workspaces: rows } = await workspaces.client.listWorkspaces(page);
  return Object.fromEntries(rows.map(({ workspaceId, name }) => [workspaceId, name]));
}

const forge = async (store: ConnectedEventStore, workspaceId: string, data: object) =>
  await store.append(`sluice.workspace-${workspaceId}`, [anUpdate(data)], 'any');

function anUpdate(data: object) {
  const occurredAt = '2026-01-02T03:04:06.000Z';
  const commandId = randomUUID();
  return {
    id: randomUUID(),
    type: 'WorkspaceUpdated',
    data: { changedAt: occurredAt, ...data },
    metadata: {
      schemaVersion: 1,
      occurredAt,
      commandId,
      actor: { type: 'system', id: 'forger' },
      requestId: 'req-forged',
      $correlationId: 'req-forged',
      $causationId: commandId,
    },
  } as const;
}

test('an installation from before takes no forged event once it requires signatures', async () => {
  const [hit, other] = [await workspaces.create(), await workspaces.create()];
  await workspaces.restartService({ SLUICE_EVENT_KEY: key });
  await forge(stranger, hit, { changes: { name: 'Forged early' } });
  await eventually(async () => equal((await names())[hit], 'Forged early'));

  match((await run('eventstore', 'require-signatures')).error, /SLUICE_EVENT_KEY is not set/);
  await forge(stranger, hit, { changes: { name: 'Still taken' } });
  await eventually(async () => equal((await names())[hit], 'Still taken'));
  const required = await runWithKey('eventstore', 'require-signatures');
  deepEqual([required.code, required.error], [0, '']);

  await forge(stranger, hit, { changes: { name: 'Forged' } });
  await forge(signing, hit, { changes: { name: 'Signed by somebody else' } });
  await forge(stranger, hit, { shape: 'nobody can read' });
  await eventually(async () =>
    equal(await workspaces.metric('projection_foreign_events_total', projection), 3),
  );
  deepEqual(await names(), { [hit]: 'Still taken', [other]: 'Example' });
  equal(await workspaces.metric('projection_stopped', projection), 0);
  equal((await workspaces.readiness()).code, 200);
  await rename(hit, 'Renamed');
  await rename(other, 'Also renamed');
  const renamed = { [hit]: 'Renamed', [other]: 'Also renamed' };
  await eventually(async () => deepEqual(await names(), renamed));

  const refused = await run('projections', 'rebuild', projection);
  equal(refused.code, 1);
  match(refused.error, /^SLUICE_EVENT_KEY is not set: forged events would be taken/);
  const accepted = await run('eventstore', 'accept', '--yes');
  deepEqual([accepted.code, accepted.error], [1, refused.error]);
  const rebuilt = await runWithKey('projections', 'rebuild', projection);
  equal(rebuilt.code, 0, rebuilt.error);
  deepEqual(await names(), renamed);
});

test('commands that only show say that they do not check signatures without the key', async () => {
  const isTold = /^SLUICE_EVENT_KEY is not set: signatures are not checked/;
  const audit = ['audit', '--actor', 'forger', '--json'];
  const unchecked = await run(...audit);
  match(unchecked.error, isTold);
  equal(unchecked.out.trim().split('\n').length, 5);
  const checked = await runWithKey(...audit);
  ok(!isTold.test(checked.error));
  // The two from before the requirement.
  equal(checked.out.trim().split('\n').length, 2);

  for (const words of [
    ['eventstore', 'diff'],
    ['projections', 'rebuild', projection, '--compare'],
  ]) {
    match((await run(...words)).error, isTold, words.join(' '));
    const shown = await runWithKey(...words);
    equal(shown.code, 0, shown.out);
    ok(!isTold.test(shown.error), words.join(' '));
  }
});
