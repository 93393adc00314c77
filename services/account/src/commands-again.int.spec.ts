import { deepEqual, equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStore } from '@sluice/es';
import { connectEventStore } from '@sluice/eventstore';
import { startEventStoreServer } from '@sluice/eventstore-server';
import { AccountKind } from '@sluice/protos/sluice/account/v1/account';
import { inject, onTestFinished, test } from 'vitest';
import { accountWorld, aContext, organizationId, ownerUserId } from './testing/account-world.ts';

const times = 40;

/** The account service on an event store that answers as EventStoreDB does. */
async function world() {
  const directory = await mkdtemp(join(tmpdir(), 'sluice-commands-again-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const server = await startEventStoreServer({ directory, port: 0 });
  onTestFinished(() => server.stop());
  const connected = await connectEventStore({ url: server.url });
  onTestFinished(() => connected.stop());
  const appended: string[] = [];
  const eventStore: EventStore = {
    ...connected,
    append: (stream, ...rest) => {
      appended.push(stream);
      return connected.append(stream, ...rest);
    },
  };
  const made = await accountWorld({ postgresUrl: inject('postgresUrl'), eventStore });
  onTestFinished(() => made.stop());
  const open = (accountId = organizationId, commandId = randomUUID() as string) =>
    made.accounts.openAccount({
      context: aContext(accountId, commandId),
      kind: AccountKind.ACCOUNT_KIND_ORGANIZATION,
      name: 'Example',
      ownerUserId,
      ownerEmail: 'owner@example.com',
      defaultWorkspaceId: '0190a000-0000-7000-8000-000000000010',
    });
  const countOf = async (stream: string) => (await Array.fromAsync(connected.read(stream))).length;
  return { ...made, appended, open, countOf };
}

const each = <Answer>(command: () => Promise<Answer>) =>
  Promise.all(Array.from({ length: times }, command));

test('20 accounts are opened one after the other, and only the reaction lets their owners in', async () => {
  const { open, accounts, appended } = await world();
  for (let number = 0; number < 20; number++) {
    const accountId = `org_${number}`;
    await open(accountId);
    const { members } = await accounts.listMembers({ accountId, offset: 0, limit: 10 });
    deepEqual(
      members.map(({ userId, role }) => [userId, role]),
      [[ownerUserId, 'admin']],
    );
    const written = appended.filter((stream) => stream.startsWith(`member-${accountId}.`));
    equal(written.length, 1, 'one writer');
  }
});

test(`an account that is opened ${times} times at once with one command id is opened once`, async () => {
  const { open, countOf } = await world();
  const commandId = randomUUID();
  const answers = await each(() => open(organizationId, commandId));
  equal(new Set(answers.map(({ account }) => account?.createdAt)).size, 1);
  equal(await countOf(`account-${organizationId}`), 1);
});

test(`a member who joins ${times} times at once with one command id joins once`, async () => {
  const { open, accounts, appended, countOf } = await world();
  await open();
  const context = aContext();
  const values = { userId: 'user_2', email: 'two@example.com', role: 'member' };
  const answers = await each(() => accounts.joinMember({ context, ...values }));
  equal(new Set(answers.map(({ member }) => member?.userId)).size, 1);
  const stream = appended.findLast((one) => one.startsWith('member-')) ?? '';
  equal(await countOf(stream), 1);
});

test(`credits that are granted ${times} times at once with one command id are granted once`, async () => {
  const { open, accounts, countOf } = await world();
  await open();
  const context = aContext();
  const grant = { grantId: 'welcome', amountNanoUsd: 10n, reason: 'first start' };
  await each(() => accounts.grantCredits({ context, ...grant }));
  equal(await countOf(`account-${organizationId}`), 2);
});
