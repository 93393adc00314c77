import { equal, match, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@sluice/patience';
import { describe, onTestFinished, test } from 'vitest';
import { json, manage, text } from './http.ts';
import { type Instance, startInstance } from './instance.ts';

/** Each start begins with the store that lies there. */
const startsMs = 600_000;

/** restored-store.spec.ts shows that all-in-one, where all parts share one store, notices another history as well. */
describe('processes on a copy that lacks events of the key service alone', () => {
  test(
    'takes no command of any service, says so, and loses none when the right store is put back',
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'sluice-restored-'));
      onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
      const environment = { SLUICE_DATA_DIR: directory };
      const store = join(directory, 'eventstore');
      const [copy, whole] = [join(directory, 'copy'), join(directory, 'whole')];

      const first = await startInstance(environment, 'processes');
      await makeWorkspace(first, 'before');
      equal(await first.stop(), 0);
      await cp(store, copy, { recursive: true });
      const second = await first.restart();
      const key = await issue(second);
      equal((await infer(second, key.secret)).status, 200);
      equal(await second.stop(), 0);
      await cp(store, whole, { recursive: true });

      await replace(store, copy);
      const third = await second.restart();
      for (const path of ['/workspaces', '/guardrails', '/keys'])
        await eventually(async () => {
          const answer = await manage(third, path, { body: bodyFor(path) });
          equal(answer.status, 503, `${path}: ${JSON.stringify(answer.body)}`);
          match(JSON.stringify(answer.body), /event_store_diverged/);
        });
      await eventually(async () => {
        const ready = await fetch(`${third.adminUrl}/readyz`);
        match(await ready.text(), /"degraded".*event_store_diverged: .* \(ApiKey/);
        equal(ready.status, 200);
      });
      await eventually(() => match(third.output(), /Degraded: event_store_diverged: .*ApiKey/));
      equal((await infer(third, key.secret)).status, 200);
      equal(await third.stop(), 0);

      await replace(store, whole);
      const fourth = await third.restart();
      onTestFinished(() => fourth.dispose());
      await eventually(() => makeWorkspace(fourth, 'after'));
      const changed = await manage(fourth, `/keys/${key.hash}`, {
        method: 'PATCH',
        body: { name: 'changed' },
      });
      equal(changed.status, 200);
      const ready = await (await fetch(`${fourth.adminUrl}/readyz`)).text();
      equal(ready.includes('event_store_diverged'), false, ready);
    },
    startsMs,
  );
});

async function replace(store: string, by: string): Promise<void> {
  await rm(store, { recursive: true });
  await cp(by, store, { recursive: true });
}

function bodyFor(path: string): object {
  return path === '/workspaces' ? { name: 'x', slug: 'never-answered' } : { name: 'x' };
}

async function makeWorkspace(instance: Instance, slug: string): Promise<void> {
  const made = await manage(instance, '/workspaces', { body: { name: slug, slug } });
  equal(made.status, 201, JSON.stringify(made.body));
}

async function issue(instance: Instance) {
  const made = await manage(instance, '/keys', { body: { name: 'late' } });
  ok(made.status === 201, JSON.stringify(made.body));
  const secret = text(made.body['key']);
  return { secret, hash: createHash('sha256').update(secret).digest('hex') };
}

const infer = (instance: Instance, key: string) =>
  json(instance, '/responses', { key, body: { model: 'sim/echo', input: 'x' } });
