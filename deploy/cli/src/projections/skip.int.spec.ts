import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '@sluice/patience';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { anEvent } from '../testing/an-event.ts';
import { sluice } from '../testing/sluice.ts';
import { contextOf, startWorkspaces, type Workspaces } from '../testing/workspaces.ts';

const name = 'workspace.workspaces';
const untouched = 'workspace.workspace_members';
const broken = anEvent('WorkspaceTurnedInsideOut', { shape: 'none' });
let workspaces: Workspaces;
let whole: string;
let torn: string;

beforeAll(async () => {
  workspaces = await startWorkspaces(inject('postgresUrl'));
  whole = await workspaces.create();
  torn = await workspaces.create();
  await workspaces.eventStore.append(`workspace-${torn}`, [broken], 'any');
});
afterAll(() => workspaces.stop());

const run = (...words: readonly string[]) => sluice(['projections', ...words], workspaces.env);

const rename = (workspaceRef: string, newName: string) =>
  workspaces.client.updateWorkspace({
    context: contextOf(),
    workspaceRef,
    name: newName,
    slug: undefined,
    settings: undefined,
    changedSettings: [],
  });

/** Returns the projections and reactions that readiness reports to set a stream aside. */
async function standing(): Promise<readonly string[]> {
  const { code, reasons } = await workspaces.readiness();
  equal(code, 200, reasons.join());
  return reasons.flatMap((reason) => {
    const [, projection] =
      /^projection (\S+) sets aside workspace-\S+ at event /.exec(reason) ?? [];
    if (projection === undefined && reason.endsWith('is catching up')) return [];
    ok(projection && reason.endsWith(broken.id), reason);
    return [projection];
  });
}

describe('an event of ours that nobody can read', () => {
  test('sets its stream aside and nothing else, also after a restart', async () => {
    for (const start of ['first', 'next']) {
      await eventually(async () => ok((await standing()).includes(name), start));
      equal((await standing()).includes(untouched), false);
      await eventually(async () => void (await rename(whole, `Whole ${start}`)));
      await eventually(async () => {
        const question = { accountId: 'org_1', workspaceId: whole };
        const { workspace } = await workspaces.client.getWorkspace(question);
        equal(workspace?.name, `Whole ${start}`);
      });
      await rejects(rename(torn, 'Torn'), { code: 'stream_unreadable' });
      const policy = { accountId: 'org_1', workspaceId: torn };
      await rejects(workspaces.client.getSpendPolicy(policy), { code: 'stream_unreadable' });
      if (start === 'first') await workspaces.restartService();
    }
    const { code, out } = await run('list');
    equal(code, 0);
    match(out, new RegExp(`${name} .* active, sets aside a stream\n`));
    match(out, new RegExp(`${untouched} .* active\n`));
    match(out, new RegExp(`${name} sets aside workspace-${torn} at event ${broken.id} `));
  });

  test('does not keep a rebuild or a comparison', async () => {
    const rebuilt = await run('rebuild', name);
    equal(rebuilt.code, 0);
    match(rebuilt.error, new RegExp(`${name} sets aside workspace-${torn} at event ${broken.id}`));
    const { code, out } = await run('rebuild', name, '--compare');
    deepEqual([code, out.startsWith(`${name} is what its events give`)], [0, true]);
  });

  test('is skipped once for all parts that stand at it, and no other event is', async () => {
    const elsewhere = await run('skip', randomUUID(), '--reason', 'a slip');
    equal(elsewhere.code, 1);
    match(elsewhere.error, new RegExp(`there is nothing to skip. The events are ${broken.id}\\.`));
    const { code, out, error } = await run('skip', broken.id, '--reason', 'by hand');
    deepEqual([code, error], [0, '']);
    match(out, new RegExp(`^workspace leaves out event ${broken.id} .* everywhere; .*${name}`));
    await eventually(async () => deepEqual((await workspaces.readiness()).reasons, []));
    await eventually(async () => void (await rename(torn, 'Mended')));
    const policy = { accountId: 'org_1', workspaceId: torn };
    equal((await workspaces.client.getSpendPolicy(policy)).isAlive, true);
  });

  test('stays left out of rebuilds and comparisons, and the list and the audit name it', async () => {
    await workspaces.create();
    for (const option of [['--compare'], [], ['--compare']])
      equal((await run('rebuild', name, ...option)).code, 0);
    const { out } = await run('rebuild', name, '--compare');
    match(out, new RegExp(`^${name} is what its events give \\(3 rows, \\d+ events\\).\n`));
    const list = await run('list');
    match(
      list.out,
      new RegExp(`workspace leaves out event ${broken.id} .*system cli .*: by hand\n`),
    );
    equal(list.out.includes('sets aside'), false);
    const audit = await sluice(['audit', '--action', 'installation'], workspaces.env);
    match(audit.out, /installation\.projection_event_skipped {2}.*by system cli/);
    match(audit.out, /reason: .*by hand/);
    match(audit.out, new RegExp(`eventId: .*${broken.id}`));
    await workspaces.restartService();
    await eventually(async () => deepEqual(await standing(), []));
  });
});
