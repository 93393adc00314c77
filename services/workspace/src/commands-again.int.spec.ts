import { equal } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectEventStore } from '@sluice/eventstore';
import { startEventStoreServer } from '@sluice/eventstore-server';
import { inject, onTestFinished, test } from 'vitest';
import { aWorkspace, workspaceWorld } from './testing/workspace-world.ts';

const times = 40;

test(`a workspace that is created ${times} times at once with one command id is created once`, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-commands-again-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const server = await startEventStoreServer({ directory, port: 0 });
  onTestFinished(() => server.stop());
  const eventStore = await connectEventStore({ url: server.url });
  onTestFinished(() => eventStore.stop());
  const world = await workspaceWorld({ postgresUrl: inject('postgresUrl'), eventStore });
  onTestFinished(() => world.stop());
  const request = aWorkspace();
  const creating = Array.from({ length: times }, () => world.client.createWorkspace(request));
  const answers = await Promise.all(creating);
  equal(new Set(answers.map(({ workspace }) => workspace?.createdAt)).size, 1);
  const stored = await Array.fromAsync(eventStore.read(`workspace-${request.workspaceId}`));
  equal(stored.filter(({ type }) => type === 'WorkspaceCreated').length, 1);
});
