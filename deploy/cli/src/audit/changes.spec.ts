import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { inMemoryEventStore } from '@sluice/es';
import { anEvent } from '../testing/an-event.ts';
import { changesOf } from './changes.ts';

type Written = readonly [type: string, data: object];
type Shown = readonly [field: string, before: unknown, after: unknown];

/** The events of one stream, and what its last one is said to have changed. */
const cases: readonly {
  readonly what: string;
  readonly stream: string;
  readonly events: readonly Written[];
  readonly shown: readonly Shown[];
}[] = [
  {
    what: 'a field that an event sets again has the value before',
    stream: 'apiKey-7f3a',
    events: [
      ['ApiKeyIssued', { name: 'A', limitNanoUsd: '5', digest: { hmacSha256: 'x' } }],
      ['ApiKeyRenamed', { name: 'B' }],
    ],
    shown: [['name', 'A', 'B']],
  },
  {
    what: 'what is issued was nothing before, and its digest is not shown',
    stream: 'apiKey-7f3a',
    events: [['ApiKeyIssued', { name: 'A', digest: { hmacSha256: 'x' } }]],
    shown: [['name', undefined, 'A']],
  },
  {
    what: 'an update is compared with the settings, not with the update before it',
    stream: 'workspace-w1',
    events: [
      ['WorkspaceCreated', { settings: { name: 'A', description: 'old' } }],
      ['WorkspaceUpdated', { changes: { name: 'B' } }],
      ['WorkspaceUpdated', { changes: { description: 'new' } }],
    ],
    shown: [['description', 'old', 'new']],
  },
  {
    what: 'a guardrail is compared field by field with its policy',
    stream: 'guardrail-g1',
    events: [
      ['GuardrailCreated', { name: 'A', policy: { limitNanoUsd: '5', includeByok: false } }],
      ['GuardrailUpdated', { changes: { limitNanoUsd: '7' } }],
    ],
    shown: [['limitNanoUsd', '5', '7']],
  },
  {
    what: 'a grant is not compared with another grant',
    stream: 'account-org_1',
    events: [
      ['CreditsGranted', { grantId: 'g1', amountNanoUsd: '5' }],
      ['CreditsGranted', { grantId: 'g2', amountNanoUsd: '9' }],
    ],
    shown: [
      ['grantId', undefined, 'g2'],
      ['amountNanoUsd', undefined, '9'],
    ],
  },
  {
    what: 'a refund is not compared with its purchase',
    stream: 'account-org_1',
    events: [
      ['CreditsPurchased', { purchaseId: 'p1', amountNanoUsd: '5' }],
      ['CreditsRefunded', { refundId: 'r1', purchaseId: 'p1', amountNanoUsd: '2' }],
    ],
    shown: [
      ['refundId', undefined, 'r1'],
      ['purchaseId', undefined, 'p1'],
      ['amountNanoUsd', undefined, '2'],
    ],
  },
  {
    what: 'an entitlement is compared with itself',
    stream: 'account-org_1',
    events: [
      ['EntitlementChanged', { entitlement: 'alignment', isEnabled: true }],
      ['EntitlementChanged', { entitlement: 'other', isEnabled: false }],
      ['EntitlementChanged', { entitlement: 'alignment', isEnabled: false }],
    ],
    shown: [['isEnabled', true, false]],
  },
  {
    what: 'a budget is compared with that of its interval',
    stream: 'workspace-w1',
    events: [
      ['WorkspaceBudgetSet', { interval: 'daily', limitNanoUsd: '5' }],
      ['WorkspaceBudgetSet', { interval: 'weekly', limitNanoUsd: '9' }],
      ['WorkspaceBudgetSet', { interval: 'daily', limitNanoUsd: '6' }],
    ],
    shown: [['limitNanoUsd', '5', '6']],
  },
  {
    what: 'a budget that was removed was nothing before',
    stream: 'workspace-w1',
    events: [
      ['WorkspaceBudgetSet', { interval: 'daily', limitNanoUsd: '5' }],
      ['WorkspaceBudgetRemoved', { interval: 'daily' }],
      ['WorkspaceBudgetSet', { interval: 'daily', limitNanoUsd: '6' }],
    ],
    shown: [
      ['interval', undefined, 'daily'],
      ['limitNanoUsd', undefined, '6'],
    ],
  },
  {
    what: 'a member is not compared with another member',
    stream: 'workspaceMembers-w1',
    events: [
      ['WorkspaceMemberAdded', { userId: 'u1', manualRole: 'admin' }],
      ['WorkspaceMemberAdded', { userId: 'u2', manualRole: 'member' }],
    ],
    shown: [
      ['userId', undefined, 'u2'],
      ['manualRole', undefined, 'member'],
    ],
  },
  {
    what: 'a credential is not compared with another credential',
    stream: 'byok-org_1',
    events: [
      ['ByokCredentialAdded', { credentialId: 'c1', settings: { name: 'A' } }],
      ['ByokCredentialAdded', { credentialId: 'c2', settings: { name: 'B' } }],
      ['ByokCredentialUpdated', { credentialId: 'c1', settings: { name: 'C' } }],
    ],
    shown: [['name', 'A', 'C']],
  },
  {
    what: 'a guardrail of a key is not compared with another one',
    stream: 'keyGuardrail-7f3a',
    events: [
      ['GuardrailAssignedToKey', { assignmentId: 'a1', guardrailId: 'g1' }],
      ['GuardrailAssignedToKey', { assignmentId: 'a2', guardrailId: 'g2' }],
    ],
    shown: [
      ['assignmentId', undefined, 'a2'],
      ['guardrailId', undefined, 'g2'],
    ],
  },
  {
    what: 'a group and a mapping of it are not compared',
    stream: 'scimDirectory-org_1',
    events: [
      ['ScimGroupUpserted', { groupId: 'g1', displayName: 'A' }],
      ['ScimMappingCreated', { mappingId: 'm1', groupId: 'g1', role: 'member' }],
    ],
    shown: [
      ['mappingId', undefined, 'm1'],
      ['groupId', undefined, 'g1'],
      ['role', undefined, 'member'],
    ],
  },
];

describe('what an event changed', () => {
  test.for(cases)('$what', async ({ stream, events, shown }) => {
    const store = inMemoryEventStore({ now: () => new Date(0) });
    await store.append(
      stream,
      events.map(([type, data]) => anEvent(type, data)),
      'any',
    );
    const last = BigInt(events.length - 1);
    const changes = await changesOf(store, stream, new Set([last]));
    deepEqual(
      changes.get(last)?.map(({ field, before, after }) => [field, before, after]),
      shown,
    );
  });

  test('is told of several events in one read of their stream', async () => {
    const store = inMemoryEventStore({ now: () => new Date(0) });
    let reads = 0;
    await store.append(
      'apiKey-7f3a',
      ['A', 'B', 'C', 'D'].map((name) => anEvent('ApiKeyRenamed', { name })),
      'any',
    );
    const counting: Parameters<typeof changesOf>[0] = {
      read(...words) {
        reads += 1;
        return store.read(...words);
      },
    };
    const changes = await changesOf(counting, 'apiKey-7f3a', new Set([1n, 3n]));
    deepEqual(
      [...changes].map(([revision, [change]]) => [revision, change?.before, change?.after]),
      [
        [1n, 'A', 'B'],
        [3n, 'C', 'D'],
      ],
    );
    deepEqual(reads, 1);
  });
});
