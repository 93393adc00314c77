import { deepEqual, equal } from 'node:assert/strict';
import { nameStream, subjectFilters } from '@sluice/bus';
import { eventually } from '@sluice/patience';
import { EntityNamed } from '@sluice/protos/sluice/name/v1/name_events';
import { inject, onTestFinished, test } from 'vitest';
import { aContext, workspaceWorld } from '../testing/workspace-world.ts';

test('what a workspace is called is published when it changes, and that it is deleted', async () => {
  const world = await workspaceWorld({ postgresUrl: inject('postgresUrl') });
  const abort = new AbortController();
  onTestFinished(async () => {
    abort.abort();
    await world.stop();
  });
  await world.bus.ensureStream(nameStream);
  const facts: EntityNamed[] = [];
  void world.bus.consume({
    stream: nameStream.name,
    durable: 'spec',
    filter: subjectFilters.entityNamed,
    batchMax: 10,
    signal: abort.signal,
    handle: async (batch) =>
      void facts.push(...batch.map(({ data }) => EntityNamed.fromJSON(data))),
  });
  const workspaceId = await world.create({ slug: 'naming', name: 'First' });
  const until = (count: number) => eventually(() => equal(facts.length, count));
  await until(1);
  const workspaceRef = workspaceId;
  await world.client.updateWorkspace({
    context: aContext(),
    workspaceRef,
    name: 'Second',
    slug: undefined,
    settings: undefined,
    changedSettings: [],
  });
  await until(2);
  await world.client.deleteWorkspace({ context: aContext(), workspaceRef, confirmDefault: false });
  await until(3);
  deepEqual(
    facts.map(({ kind, entityId, accountId, name, state }) => [
      kind,
      entityId,
      accountId,
      name,
      state,
    ]),
    [
      ['workspace', workspaceId, 'org_1', 'First', 'named'],
      ['workspace', workspaceId, 'org_1', 'Second', 'named'],
      ['workspace', workspaceId, 'org_1', '', 'deleted'],
    ],
  );
});
