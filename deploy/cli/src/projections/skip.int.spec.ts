import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '@sluice/patience';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { anEvent } from '../testing/an-event.ts';
import { sluice } from '../testing/sluice.ts';
import { startWorkspaces, type Workspaces } from '../testing/workspaces.ts';

const name = 'workspace.workspaces';
const waiting = 'workspace.publish_workspace_changes';
const untouched = 'workspace.workspace_members';
const broken = anEvent('WorkspaceTurnedInsideOut', { shape: 'none' });
let workspaces: Workspaces;

beforeAll(async () => {
  workspaces = await startWorkspaces(inject('postgresUrl'));
  await workspaces.create();
  await workspaces.eventStore.append(`workspace-${randomUUID()}`, [broken], 'any');
});
afterAll(() => workspaces.stop());

const run = (...words: readonly string[]) => sluice(['projections', ...words], workspaces.env);

/** Returns the projections and reactions that readiness reports as stopped at the event. */
async function standing(): Promise<readonly string[]> {
  const { code, reasons } = await workspaces.readiness();
  equal(code, 200, reasons.join());
  return reasons.flatMap((reason) => {
    const [, projection] = /^projection (\S+) stopped at event /.exec(reason) ?? [];
    // A reaction that publishes the rows of one that stands still waits for it.
    if (reason === `projection ${waiting} is catching up`) return [];
    ok(projection && reason.endsWith(broken.id), reason);
    return [projection];
  });
}

describe('an event of ours that nobody can read', () => {
  test('stops what needs it and nothing else, also after a restart', async () => {
    for (const start of ['first', 'next']) {
      await eventually(async () => ok((await standing()).includes(name), start));
      equal((await standing()).includes(untouched), false);
      if (start === 'first') await workspaces.restartService();
    }
    const { code, out } = await run('list');
    equal(code, 0);
    match(out, new RegExp(`${name} .* stands still at event ${broken.id}\n`));
    match(out, new RegExp(`${untouched} .* active\n`));
  });

  test('is skipped where a projection stands at it, and nothing else is', async () => {
    const elsewhere = await run('skip', name, randomUUID(), '--reason', 'a slip');
    equal(elsewhere.code, 1);
    match(elsewhere.error, new RegExp(`stands still at ${broken.id}, and may skip no other`));
    const nowhere = await run('skip', untouched, broken.id, '--reason', 'a slip');
    deepEqual([nowhere.code, nowhere.error.includes('does not stand still')], [1, true]);
    const told = new Set<string>();
    await eventually(async () => {
      const left = (await standing()).filter((projection) => !told.has(projection));
      for (const projection of left) {
        const words = [projection, broken.id, '--reason', 'by hand'];
        const { code, out, error } = await run('skip', ...words);
        deepEqual([code, error], [0, '']);
        match(out, new RegExp(`^${projection} leaves out event ${broken.id} `));
        told.add(projection);
      }
      deepEqual((await workspaces.readiness()).reasons, []);
    });
  });

  test('stays left out of rebuilds and comparisons, and the list and the audit name it', async () => {
    await workspaces.create();
    for (const option of [['--compare'], [], ['--compare']])
      deepEqual((await run('rebuild', name, ...option)).error, '');
    const { out } = await run('rebuild', name, '--compare');
    equal(out, `${name} is what its events give (2 rows, 2 events).\n`);
    const list = await run('list');
    match(list.out, new RegExp(`${name} leaves out event ${broken.id} .*system cli .*: by hand\n`));
    equal(list.out.includes('stands still'), false);
    const audit = await sluice(['audit', '--action', 'installation'], workspaces.env);
    match(audit.out, /installation\.projection_event_skipped {2}.*by system cli/);
    match(audit.out, /reason: .*by hand/);
    match(audit.out, new RegExp(`eventId: .*${broken.id}`));
    await workspaces.restartService();
    await eventually(async () => deepEqual(await standing(), []));
  });
});
