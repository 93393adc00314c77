import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { connectBus, limitStream, subjectFilters } from '@sluice/bus';
import { eventually } from '@sluice/patience';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import { sluice, sluiceProcess } from '../testing/sluice.ts';
import { contextOf, copyLog, startWorkspaces, type Workspaces } from '../testing/workspaces.ts';

const dollar = 1_000_000_000n;
let workspaces: Workspaces;
let backup: string;
beforeEach(async () => {
  workspaces = await startWorkspaces(inject('postgresUrl'));
  backup = join(workspaces.directory, 'backup');
});
afterEach(() => workspaces.stop());

async function setBudget(workspaceRef: string, limitNanoUsd: bigint) {
  const budget = { windowKind: 'lifetime', limitNanoUsd, includeByok: undefined };
  await workspaces.client.setBudget({ context: contextOf(), workspaceRef, ...budget });
}

async function listed(): Promise<readonly string[]> {
  const page = { accountId: 'org_1', offset: 0, limit: 100 };
  const { workspaces: rows } = await workspaces.client.listWorkspaces(page);
  return rows.map(({ workspaceId }) => workspaceId).toSorted();
}

/** Creates a workspace and waits until the list shows it. */
async function created(): Promise<string> {
  const id = await workspaces.create();
  await eventually(async () => ok((await listed()).includes(id)));
  return id;
}

/** A log with an early part, of which there is a backup, and a later part, which the backup lacks. */
async function earlyAndLate() {
  const early = await created();
  await setBudget(early, 5n * dollar);
  await workspaces.restartEventStore((log) => copyLog(log, backup));
  const late = await created();
  await setBudget(early, 1n);
  return { early, late };
}

const restore = () => workspaces.restartEventStore((log) => copyLog(backup, log));
const isRefused = () =>
  eventually(() => rejects(workspaces.create(), { code: 'event_store_diverged' }));
const goesOn = () => eventually(() => workspaces.create());

/** watched-event-store.int.spec.ts shows each kind of other log, and that the same one is never refused. */
describe('a store that was restored from an older copy', () => {
  test('is refused, shown and accepted; then what is so in it is what counts', async () => {
    const { early, late } = await earlyAndLate();
    const limits = await limitsPublished();
    await eventually(() => equal(limits.at(-1)?.limits[0]?.limitNanoUsd, 1n));
    await restore();
    await isRefused();
    await rejects(setBudget(early, 7n * dollar), { code: 'event_store_diverged' });
    deepEqual(await listed(), [early, late].toSorted());
    const lost = limits.length;

    const shown = await sluice(['eventstore', 'diff'], workspaces.env);
    equal(shown.code, 1);
    match(shown.out, new RegExp(`lost  workspace\\.created  ${late}  by system spec`));
    match(shown.out, new RegExp(`lost  workspace\\.budget_set  ${early}  by system spec`));
    match(shown.out, new RegExp(`workspaces \\{"workspace_id": "${late}"\\}\\n.*live`));
    match(shown.out, /rebuilt +no such row/);
    match(shown.error, /lacks 2 known events\. The histories part behind \d+\/\d+/);

    const asked = await sluiceProcess(['eventstore', 'accept'], workspaces.env);
    equal(asked.code, 1);
    match(asked.error, /Nothing was changed/);
    await rejects(workspaces.create(), { code: 'event_store_diverged' });

    const accepted = await sluice(['eventstore', 'accept', '--yes'], workspaces.env);
    equal(accepted.code, 0, accepted.error);
    match(accepted.out, /workspace\.workspaces is rebuilt from 2 events\./);
    await goesOn();
    const now = await listed();
    ok(now.includes(early) && !now.includes(late));
    await eventually(() => ok(limits.length > lost));
    const last = limits.at(-1);
    deepEqual([last?.scopeId, last?.limits[0]?.limitNanoUsd], [early, 5n * dollar]);
    const revisions = limits.map(({ revision }) => revision);
    ok(revisions.slice(0, lost).every((revision) => revision < (last?.revision ?? 0n)));

    const again = await sluice(['eventstore', 'diff'], workspaces.env);
    const same = 'The event store has every event that the read models know.\n';
    deepEqual(again, { code: 0, out: same, error: '' });
    const repeated = await sluice(['eventstore', 'accept', '--yes'], workspaces.env);
    match(repeated.out, /nothing to accept/);
    const audit = await sluice(['audit', '--action', 'installation'], workspaces.env);
    match(audit.out, /installation\.history_accepted/);
  });
});

describe('a store', () => {
  test('of another installation is refused, and accepted with what is in it and nothing else', async () => {
    const { early, late } = await earlyAndLate();
    const theirs = join(workspaces.directory, 'theirs');
    const other = await startWorkspaces(inject('postgresUrl'));
    const foreign = await other.create();
    await other.restartEventStore((log) => copyLog(log, theirs));
    await other.stop();
    await workspaces.restartEventStore((log) => copyLog(theirs, log));
    await isRefused();
    deepEqual(await listed(), [early, late].toSorted());

    const shown = await sluice(['eventstore', 'diff'], workspaces.env);
    equal(shown.code, 1);
    for (const id of [early, late])
      match(shown.out, new RegExp(`lost  workspace\\.created  ${id}  by system spec`));
    match(shown.error, /has none of \d+ known events/);
    const accepted = await sluice(['eventstore', 'accept', '--yes'], workspaces.env);
    equal(accepted.code, 0, accepted.error);
    const next = await goesOn();
    // A creation that was answered 503 and sent again may have made one more.
    await eventually(async () => {
      const now = await listed();
      ok([foreign, next].every((id) => now.includes(id)) && !now.includes(early));
    });
    ok(!(await listed()).includes(late));
    const again = await sluice(['eventstore', 'diff'], workspaces.env);
    deepEqual([again.code, again.error], [0, '']);
  });
});

test('a reaction that is rewound does its work again, within seconds', async () => {
  const { early } = await earlyAndLate();
  const limits = await limitsPublished();
  await eventually(() => equal(limits.at(-1)?.limits[0]?.limitNanoUsd, 1n));
  const name = 'workspace.publish_workspace_limits';
  const before = await rebuildsOf(name);
  const rewound = await sluice(['reactions', 'rewind', name, '--to', '0/0'], workspaces.env);
  deepEqual([rewound.code, rewound.error], [0, '']);
  equal(await rebuildsOf(name), before + 1);
  const end = await workspaces.eventStore.end();
  await eventually(async () => {
    const text = 'SELECT commit_position AS commit FROM checkpoints WHERE projection = $1';
    const [row] = await workspaces.database.query<{ commit: bigint }>({ text, values: [name] });
    ok(row && end && row.commit > 0n, early);
  });
  const table = await sluice(
    ['reactions', 'rewind', 'workspace.workspaces', '--to', 'start'],
    workspaces.env,
  );
  match(table.error, /keeps tables: rebuild it instead/);
});

async function rebuildsOf(name: string): Promise<number> {
  const text = 'SELECT rebuilds FROM checkpoints WHERE projection = $1';
  const [row] = await workspaces.database.query<{ rebuilds: number }>({ text, values: [name] });
  return row?.rebuilds ?? -1;
}

/** The facts on the bus, as they come. */
async function limitsPublished(): Promise<readonly LimitsSet[]> {
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const bus = await connectBus({ ...workspaces.nats, name: 'spec', logger: silent });
  const facts: LimitsSet[] = [];
  const stopping = new AbortController();
  void bus.consume({
    stream: limitStream.name,
    durable: 'spec',
    filter: subjectFilters.limitsSet,
    batchMax: 10,
    signal: stopping.signal,
    handle: async (messages) =>
      void facts.push(...messages.map(({ data }) => LimitsSet.fromJSON(data))),
  });
  cleanUps.push(async () => {
    stopping.abort();
    await bus.stop();
  });
  return facts;
}
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});
