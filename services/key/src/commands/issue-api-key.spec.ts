import { deepEqual, equal, rejects } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { inMemoryEventStore } from '@sluice/es';
import type { ReceivedContext } from '@sluice/rpc';
import { Secret, systemClock } from '@sluice/service';
import { describe, test } from 'vitest';
import { apiKeyHandler } from '../store/api-key-handler.ts';
import { issueApiKey, type WantedApiKey } from './issue-api-key.ts';

const wanted: WantedApiKey = {
  kind: 'regular',
  name: 'Production',
  workspaceId: '',
  limitNanoUsd: null,
  limitReset: null,
  includeByokInLimit: false,
  expiresAt: null,
  creatorUserId: null,
};

/** Issuing beside a read model that does not hear of anything. */
function issuing() {
  const store = inMemoryEventStore(systemClock);
  const issue = issueApiKey({
    handle: apiKeyHandler(store),
    directory: {
      defaultWorkspaceId: async () => '0190a000-0000-7000-8000-000000000010',
      workspaceExists: async () => true,
    },
    peppers: { currentVersion: 1, byVersion: new Map([[1, new Secret('pepper')]]) },
    randomBytes,
    issuedBy: async () => undefined,
  });
  const context = (commandId: string, accountId = 'org_1'): ReceivedContext => ({
    commandId,
    requestId: 'req-1',
    accountId,
    actor: { type: 'management_key', id: 'mk' },
    occurredAt: '2026-01-02T03:04:05.678Z',
  });
  return (commandId: string, accountId?: string) => issue(wanted, context(commandId, accountId));
}

describe('a command that comes again', () => {
  test('makes no second key, also before the read model has the first', async () => {
    const issue = issuing();
    const command = randomUUID();
    const { state } = await issue(command);
    equal(state.status, 'issued');
    const hash = state.status === 'issued' ? state.hash : '';
    await rejects(issue(command), { code: 'conflict', metadata: { hash } });
  });

  test('while the first still runs shares its key', async () => {
    const issue = issuing();
    const command = randomUUID();
    const [one, other] = await Promise.all([issue(command), issue(command)]);
    deepEqual(one, other);
  });

  test('for another account is another command', async () => {
    const issue = issuing();
    const command = randomUUID();
    const one = await issue(command, 'org_1');
    const other = await issue(command, 'org_2');
    equal(one.secret === other.secret, false);
  });
});
