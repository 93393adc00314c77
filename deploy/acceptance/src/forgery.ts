import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { connectEventStore, type ConnectedEventStore } from '@sluice/eventstore';
import { beforeAll, onTestFinished, test } from 'vitest';
import { connectionsOf } from './connections.ts';
import { eventually, manage, type Reached } from './http.ts';
import type { Instance } from './instance.ts';

/** An instance whose event store is attacked. */
interface Attacked extends Reached, Pick<Instance, 'dataDirectory'> {
  readonly printed: string;
  /** Returns how many forged events the account service has met. If undefined, it has metrics of its own. */
  readonly foreignEvents?: () => Promise<number>;
}

/** Adds the tests of what a stranger and another program may not do to the event store of the instance. */
export function testForgery(start: () => Promise<Attacked>): void {
  let instance: Attacked;
  let url: string;
  let password: string;
  let eventKey: string;
  beforeAll(async () => {
    instance = await start();
    ({ eventstore_url: url, event_key: eventKey } = await connectionsOf(instance));
    ({ password } = new URL(url));
  });

  /** Another user of the machine: it knows the port, and even the authority, but no password. */
  const strangers = () => ({
    'without credentials': url.replace(/\/\/.*@/, '//'),
    'with a guess': url.replace(password, 'changeit'),
    'without TLS': url.replace('tls=true', 'tls=false'),
  });

  async function connected(as: string, key?: string): Promise<ConnectedEventStore> {
    const store = await connectEventStore({ url: as, eventKey: key });
    onTestFinished(() => store.stop());
    return store;
  }

  const totalCredits = async () =>
    Number((await manage(instance, '/credits')).body['data']?.['total_credits']);
  const stream = () => `account-${instance.bootstrap.organization_id}`;

  async function forge(store: ConnectedEventStore): Promise<void> {
    await store.append(stream(), [grantOf(instance.bootstrap.organization_id)], 'any');
  }

  test('takes no forged credits and shows nothing to a stranger', async () => {
    const [before, foreignBefore] = [await totalCredits(), await instance.foreignEvents?.()];
    for (const [who, strangersUrl] of Object.entries(strangers())) {
      const store = await connected(strangersUrl);
      await rejects(forge(store), { code: 'event_store_unavailable' }, who);
      await rejects(Array.fromAsync(store.read(stream())), { code: 'event_store_unavailable' });
    }
    equal(await totalCredits(), before);
    // Another program that may write has no key: its event is in the stream and does not count.
    await rejects(forge(await connected(url)), { code: 'event_store_unavailable' });
    await forge(await connected(url, 'a key of a program that may write'));
    // The same event with the key counts, and it alone.
    await forge(await connected(url, eventKey));
    await eventually(totalCredits, (total) => total === before + 77);
    const foreign = await instance.foreignEvents?.();
    ok(foreign === undefined || foreign > (foreignBefore ?? 0));
  });

  test('has a key of signatures that no log holds', async () => {
    const logs = join(instance.dataDirectory, 'logs');
    for (const name of await readdir(logs))
      ok(!(await readFile(join(logs, name), 'utf8')).includes(eventKey), name);
    equal((await stat(join(instance.dataDirectory, 'secrets', 'event-key'))).mode & 0o777, 0o600);
  });

  test('has a password that is in no file that others can read and in no argument', async () => {
    const directory = join(instance.dataDirectory, 'secrets', 'eventstore');
    equal((await stat(directory)).mode & 0o777, 0o700);
    const names = await readdir(directory);
    deepEqual(names.toSorted(), ['ca.crt', 'ca.key', 'node.crt', 'node.key', 'password']);
    for (const name of names) equal((await stat(join(directory, name))).mode & 0o777, 0o600);
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      ok(!words.includes(password), pid);
    }
    ok(!instance.printed.includes(password));
  });

  test('has a password that no log holds', async () => {
    const logs = join(instance.dataDirectory, 'logs');
    for (const name of await readdir(logs))
      ok(!(await readFile(join(logs, name), 'utf8')).includes(password), name);
  });
}

function grantOf(accountId: string) {
  const occurredAt = '2026-01-02T03:04:06.000Z';
  const commandId = randomUUID();
  return {
    id: randomUUID(),
    type: 'CreditsGranted',
    data: {
      accountId,
      grantId: `forged-${commandId}`,
      amountNanoUsd: '77000000000',
      reason: 'forged',
      grantedAt: occurredAt,
    },
    metadata: {
      schemaVersion: 1,
      occurredAt,
      commandId,
      actor: { type: 'system', id: 'nobody' },
      requestId: 'req-forged',
      $correlationId: 'req-forged',
      $causationId: commandId,
    },
  } as const;
}
