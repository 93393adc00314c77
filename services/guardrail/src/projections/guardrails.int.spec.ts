import { join } from 'node:path';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  projectionSpecification,
  recordedEvents,
  testDatabase,
  type TestDatabase,
} from '@sluice/read-model/testing';
import { emptyPolicy } from '../domain/guardrail/state.ts';
import { guardrailsProjection } from './guardrails.ts';

let database: TestDatabase;
beforeEach(async () => {
  const migrations = join(import.meta.dirname, '../migrations');
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database.drop());

const guardrailId = '0190a000-0000-7000-8000-000000000020';
const workspaceId = '0190a000-0000-7000-8000-000000000010';
const assignmentId = '0190a000-0000-7000-8000-000000000030';
const accountId = 'org_1';
const at = '2026-01-02T03:04:05.000Z';
const later = '2026-01-02T03:04:06.000Z';
const place = { guardrailId, accountId, workspaceId };

const created = {
  type: 'GuardrailCreated',
  data: { ...place, name: 'Research', description: 'ours', policy: emptyPolicy, createdAt: at },
};
const materialized = {
  type: 'DefaultGuardrailMaterialized',
  data: { ...place, description: null, policy: emptyPolicy, createdAt: at },
};
const updated = (changes: object) => ({
  type: 'GuardrailUpdated',
  data: { changes, changedAt: later },
});
const deleted = { type: 'GuardrailDeleted', data: { deletedAt: later } };
const row = {
  guardrail_id: guardrailId,
  account_id: accountId,
  workspace_id: workspaceId,
  is_default: false,
  name: 'Research',
  description: 'ours',
  policy: { ...emptyPolicy },
  created_at: new Date(at),
  updated_at: null,
};
const project = (stream: string, ...events: Parameters<typeof recordedEvents>[1][]) =>
  projectionSpecification({ database, apply: guardrailsProjection.apply })
    .project(...recordedEvents(stream, ...events))
    .twice();

describe('the table of guardrails shows', () => {
  const stream = `guardrail-${guardrailId}`;
  const filters = [{ pattern: String.raw`\d+"'`, action: 'flag', label: null }];

  test.each([
    ['a new one', [created], [row]],
    [
      'a default one under the name of its workspace',
      [materialized],
      [{ ...row, is_default: true, name: `Workspace ${workspaceId} Default`, description: null }],
    ],
    [
      'what was changed, and what was not',
      [created, updated({ name: 'Other', allowedModels: ['a/b'], customFilters: filters })],
      [
        {
          ...row,
          name: 'Other',
          policy: { ...emptyPolicy, allowedModels: ['a/b'], customFilters: filters },
          updated_at: new Date(later),
        },
      ],
    ],
    [
      'a description that was taken away',
      [created, updated({ description: null })],
      [{ ...row, description: null, updated_at: new Date(later) }],
    ],
    ['no deleted one', [created, deleted], []],
    [
      'a default one that was configured anew',
      [materialized, updated({ includeByok: true }), deleted, materialized],
      [{ ...row, is_default: true, name: `Workspace ${workspaceId} Default`, description: null }],
    ],
  ])('%s', async (_title, events, rows) => {
    await project(stream, ...events).expectRows('SELECT * FROM guardrails', rows);
  });
});

describe('the table of key assignments shows', () => {
  const keyHash = 'ab'.repeat(32);
  const of = { accountId, guardrailId, keyHash };
  const assigned = (id: string, to = guardrailId) => ({
    type: 'GuardrailAssignedToKey',
    data: {
      ...of,
      guardrailId: to,
      assignmentId: id,
      keyLabel: 'sk-…',
      assignedBy: null,
      assignedAt: at,
    },
  });
  const unassigned = { type: 'GuardrailUnassignedFromKey', data: { ...of, unassignedAt: later } };
  const retired = { type: 'GuardrailKeyRetired', data: { accountId, keyHash, retiredAt: later } };
  const other = '0190a000-0000-7000-8000-000000000031';

  test.each([
    ['the one that a key has', [assigned(assignmentId)], [assignmentId]],
    ['the one that replaced it', [assigned(assignmentId), assigned(other, other)], [other]],
    ['none that was taken away', [assigned(assignmentId), unassigned], []],
    ['none of a deleted key', [assigned(assignmentId), unassigned, retired], []],
  ])('%s', async (_title, events, ids) => {
    await project(`keyGuardrail-${keyHash}`, ...events).expectRows(
      'SELECT assignment_id FROM key_assignments',
      ids.map((id) => ({ assignment_id: id })),
    );
  });
});

describe('the table of member assignments shows', () => {
  const assigned = (id: string, workspace: string | null) => ({
    type: 'GuardrailAssignedToMember',
    data: {
      accountId,
      guardrailId,
      userId: 'user_1',
      workspaceId: workspace,
      assignmentId: id,
      assignedBy: 'user_2',
      assignedAt: at,
    },
  });
  const unassigned = (workspace: string | null) => ({
    type: 'GuardrailUnassignedFromMember',
    data: { accountId, guardrailId, userId: 'user_1', workspaceId: workspace, unassignedAt: later },
  });
  const other = '0190a000-0000-7000-8000-000000000031';

  test.each([
    [
      'one of a workspace and one of none',
      [assigned(assignmentId, workspaceId), assigned(other, null)],
      [assignmentId, other],
    ],
    [
      'the one that replaced it',
      [assigned(assignmentId, workspaceId), assigned(other, workspaceId)],
      [other],
    ],
    [
      'none that was taken away',
      [assigned(assignmentId, workspaceId), assigned(other, null), unassigned(null)],
      [assignmentId],
    ],
  ])('%s', async (_title, events, ids) => {
    const stream = 'memberGuardrail-0190a000-0000-5000-8000-000000000040';
    await project(stream, ...events).expectRows(
      'SELECT assignment_id FROM member_assignments ORDER BY assignment_id',
      ids.map((id) => ({ assignment_id: id })),
    );
  });
});

describe('the table of modes for unsupported features shows', () => {
  const set = (of: string, mode: string) => ({
    type: 'UnsupportedFeaturesModeSet',
    data: { accountId: of, mode, setAt: at },
  });

  test('the last of each account', async () => {
    const stream = 'unsupportedFeatures-org_1';
    const events = [set('org_1', 'lenient'), set('org_2', 'lenient'), set('org_1', 'strict')];
    await project(stream, ...events).expectRows(
      'SELECT account_id, mode FROM unsupported_features ORDER BY account_id',
      [
        { account_id: 'org_1', mode: 'strict' },
        { account_id: 'org_2', mode: 'lenient' },
      ],
    );
  });
});
