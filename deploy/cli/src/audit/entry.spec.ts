import { deepEqual, equal, ok } from 'node:assert/strict';
import { inMemoryEventStore } from '@sluice/es';
import { describe, test } from 'vitest';
import { anEvent } from '../testing/an-event.ts';
import { audit, isWanted } from './audit.ts';
import { type AuditEntry, entryOf } from './entry.ts';

/** A later event of each kind that changes a part of its stream: what the log says of it, and the id of the part. */
const later: readonly (readonly [stream: string, type: string, data: object, part: string])[] = [
  ['byok-org_1', 'ByokCredentialUpdated', { credentialId: 'c-1', settings: {} }, 'c-1'],
  ['byok-org_1', 'ByokCredentialRotated', { credentialId: 'c-1', secretId: 's' }, 'c-1'],
  ['byok-org_1', 'ByokCredentialDeleted', { credentialId: 'c-1' }, 'c-1'],
  ['workspace-w1', 'WorkspaceBudgetSet', { interval: 'daily', limitNanoUsd: '1' }, 'daily'],
  ['workspace-w1', 'WorkspaceBudgetRemoved', { interval: 'daily' }, 'daily'],
  ['workspaceMembers-w1', 'WorkspaceMemberRoleChanged', { userId: 'ann', role: 'r' }, 'ann'],
  ['workspaceMembers-w1', 'WorkspaceMemberRemoved', { userId: 'ann' }, 'ann'],
  ['keyGuardrail-k1', 'KeyGuardrailUnassigned', { guardrailId: 'g-1' }, 'g-1'],
  ['memberGuardrail-m1', 'MemberGuardrailUnassigned', { guardrailId: 'g-1' }, 'g-1'],
  ['scimDirectory-org_1', 'ScimMappingRemoved', { mappingId: 'm-1' }, 'm-1'],
  ['account-org_1', 'CreditsRefunded', { refundId: 'r-1', purchaseId: 'p-1' }, 'r-1'],
];

const command = {
  since: undefined,
  until: undefined,
  actor: undefined,
  accountId: undefined,
  action: undefined,
  resource: undefined,
  limit: 10,
  json: false,
};

describe('an entry about a part of its stream', () => {
  test.each(later)('(%s %s) names the part', async (stream, type, data, part) => {
    const [entry] = await entriesOf(stream, type, data);
    ok(entry);
    equal(entry.part?.id, part);
    equal(isWanted(entry, { ...command, resource: part }), true);
    equal(isWanted(entry, { ...command, resource: entry.resource.id }), true);
    equal(isWanted(entry, { ...command, resource: 'another' }), false);
  });

  test('is shown with it, also when nothing else of it changed', async () => {
    const store = inMemoryEventStore({ now: () => new Date() });
    const [stream, type, data] = later[0] ?? fail();
    await store.append(stream, [anEvent(type, data), anEvent(type, data)], 'any');
    const lines: string[] = [];
    const output = { line: (text: string) => void lines.push(text), progress: () => {} };
    const signal = AbortSignal.timeout(60_000);
    await audit({ ...command, resource: 'c-1' }, { eventStore: store, output, signal } as never);
    deepEqual(
      lines.filter((line) => line.includes('byok.credential_updated')).length,
      2,
      lines.join('\n'),
    );
    ok(lines.every((line) => !line.includes('accepted') || line.includes('credentialId c-1')));
  });
});

function fail(): never {
  throw new Error('there is no such case');
}

async function entriesOf(
  stream: string,
  type: string,
  data: object,
): Promise<readonly (AuditEntry | undefined)[]> {
  const store = inMemoryEventStore({ now: () => new Date() });
  await store.append(stream, [anEvent(type, data)], 'any');
  return (await Array.fromAsync(store.read(stream))).map(entryOf);
}
