import { equal, match, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@sluice/patience';
import { onTestFinished, test } from 'vitest';
import { json, manage, text } from './http.ts';
import { type Instance, startInstance } from './instance.ts';
import { sluice } from './sluice.ts';

const ask = async (instance: Instance, key: string) =>
  (await json(instance, '/responses', { key, body: { model: 'sim/echo', input: 'x' } })).status;

test('a limit that is lowered on a restored store is refused until it is enforced', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-restored-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const environment = { SLUICE_DATA_DIR: directory };
  const store = join(directory, 'eventstore');
  const backup = join(directory, 'backup');

  const first = await startInstance(environment);
  const open = await issue(first, { name: 'open', limit: 10 });
  const revoked = await issue(first, { name: 'revoked', limit: 10 });
  equal(await ask(first, revoked.key), 200);
  equal(await first.stop(), 0);
  await cp(store, backup, { recursive: true });

  const second = await startInstance(environment);
  for (const [{ hash }, body] of [
    [revoked, { disabled: true }],
    [open, { limit: 20 }],
  ] as const)
    await eventually(async () => equal((await change(second, hash, body)).status, 200));
  await eventually(async () => equal(await ask(second, revoked.key), 401));
  equal(await second.stop(), 0);
  await rm(store, { recursive: true });
  await cp(backup, store, { recursive: true });

  const third = await startInstance(environment);
  onTestFinished(() => third.dispose());
  const refused = await eventually(async () => {
    const answer = await change(third, open.hash, { limit: 0 });
    equal(answer.status, 503);
    return answer;
  });
  match(JSON.stringify(refused.body), /event_store_diverged/);
  const ready = await (await fetch(`${third.adminUrl}/readyz`)).text();
  match(ready, /event_store_diverged: .*another history.* event /);
  equal(await ask(third, open.key), 200);
  equal(await ask(third, revoked.key), 401);
  const shown = (await manage(third, `/keys/${open.hash}`)).body['data'];
  equal(shown?.['limit'], 20);

  const diff = await sluice(third, ['eventstore', 'diff']);
  match(diff.out, new RegExp(`lost  api_key\\.disabled  ${revoked.hash}`));
  const accepted = await sluice(third, ['eventstore', 'accept', '--yes']);
  equal(accepted.code, 0, accepted.error);
  await eventually(async () => equal((await change(third, open.hash, { limit: 0 })).status, 200));
  await eventually(async () => equal(await ask(third, open.key), 402));
  // The store says that this key was never disabled, and the operator has accepted that.
  await eventually(async () => equal(await ask(third, revoked.key), 200));
});

async function issue(instance: Instance, body: object) {
  const made = await manage(instance, '/keys', { body });
  ok(made.status === 201, JSON.stringify(made.body));
  const key = text(made.body['key']);
  return { key, hash: createHash('sha256').update(key).digest('hex') };
}

async function change(instance: Instance, hash: string, body: object) {
  return await manage(instance, `/keys/${hash}`, { method: 'PATCH', body });
}
