import { deepEqual, match } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import type { CreateWorkspace, DeleteWorkspace, UpdateWorkspace } from './commands.ts';
import { workspace } from './decide.ts';
import { defaultSettings } from './settings.ts';

const { given } = specification(workspace);
const create: CreateWorkspace = {
  type: 'CreateWorkspace',
  workspaceId: '0190a000-0000-7000-8000-000000000010',
  accountId: 'org_1',
  settings: { name: 'Research', slug: 'research-1', ...defaultSettings },
  isDefault: false,
  createdBy: 'user_1',
  occurredAt: '2026-01-02T03:04:05.678Z',
};
const { type: _type, occurredAt, ...values } = create;
const created = {
  type: 'WorkspaceCreated' as const,
  data: { ...values, createdAt: occurredAt },
};
const changedAt = '2026-02-02T03:04:05.678Z';
const deleted = { type: 'WorkspaceDeleted' as const, data: { changedAt } };
const update = (changes: UpdateWorkspace['changes'], accountId = 'org_1'): UpdateWorkspace => ({
  type: 'UpdateWorkspace',
  accountId,
  changes,
  occurredAt: changedAt,
});
const malformed: readonly UpdateWorkspace['changes'][] = [
  { name: '' },
  { name: '   ' },
  { name: 'n'.repeat(101) },
  { name: 'a\0b' },
  { slug: '' },
  { slug: 'Research' },
  { slug: '-a' },
  { slug: 'a-' },
  { slug: 'a--b' },
  { slug: 's'.repeat(51) },
  { slug: '0190a000-0000-7000-8000-000000000011' },
  { description: 'd'.repeat(501) },
  { description: 'a\0b' },
  { defaultTextModel: '' },
  { defaultImageModel: 'two words' },
  { defaultProviderSort: 'fastest' as 'price' },
  { ioLoggingSamplingRate: 0 },
  { ioLoggingSamplingRate: 1.1 },
  { ioLoggingSamplingRate: Number.NaN },
  { ioLoggingApiKeyIds: [1.5] },
  { ioLoggingApiKeyIds: [1, 1] },
  { disabledServerTools: ['service:rockets'] },
  { disabledServerTools: ['service:bash', 'service:bash'] },
  { defaultPlugins: [{ settings: { id: 'web', max_results: 26 }, preventsOverrides: true }] },
  { defaultPlugins: [{ settings: { id: 'alignment', rules: [] }, preventsOverrides: false }] },
];

describe('creating a workspace', () => {
  test('creates it', () => given().when(create).then(created));
  test('again changes nothing', () =>
    given(created)
      .when({ ...create, occurredAt: changedAt })
      .thenNothing());
  test.each([
    { settings: { ...create.settings, name: 'Other' } },
    { accountId: 'org_2' },
    { isDefault: true },
  ])('again with other values is rejected: %o', (other) =>
    given(created)
      .when({ ...create, ...other })
      .thenRejected('conflict'),
  );
  test('that was deleted is rejected', () =>
    given(created, deleted).when(create).thenRejected('conflict'));
  test('with an id that is no UUID is rejected', () =>
    given()
      .when({ ...create, workspaceId: 'research' })
      .thenRejected('invalid_request'));
  test.each(malformed)('with malformed values is rejected: %o', (wrong) =>
    given()
      .when({ ...create, settings: { ...create.settings, ...wrong } })
      .thenRejected('invalid_request'),
  );
});

describe('updating a workspace', () => {
  test('says what became another value, and nothing else', () =>
    given(created)
      .when(
        update({ name: 'Other', slug: 'research-1', description: 'why', ioLoggingApiKeyIds: [7] }),
      )
      .then({
        type: 'WorkspaceUpdated',
        data: {
          changes: { name: 'Other', description: 'why', ioLoggingApiKeyIds: [7] },
          changedAt,
        },
      }));
  test('to what it is changes nothing', () =>
    given(created)
      .when(update({ name: 'Research', disabledServerTools: [] }))
      .thenNothing());
  test('with nothing changes nothing', () => given(created).when(update({})).thenNothing());
  test.each(malformed)('with malformed values is rejected: %o', (wrong) =>
    given(created).when(update(wrong)).thenRejected('invalid_request'),
  );
  test('of another account is not found', () =>
    given(created)
      .when(update({ name: 'Mine' }, 'org_2'))
      .thenRejected('not_found'));
  test('that is gone is not found', () =>
    given(created, deleted)
      .when(update({ name: 'Other' }))
      .thenRejected('not_found'));
  test('that never was is not found', () =>
    given()
      .when(update({ name: 'Other' }))
      .thenRejected('not_found'));
  test('names all that is wrong, by its public name', () => {
    const outcome = workspace.decide(
      update({ slug: 'A', ioLoggingSamplingRate: 2 }),
      workspace.evolve(workspace.initial, created),
    );
    const message = isRejection(outcome) ? outcome.message : '';
    match(message, /^slug: .*; io_logging_sampling_rate: must be between 0\.0001 and 1$/);
  });
});

describe('deleting a workspace', () => {
  const remove: DeleteWorkspace = {
    type: 'DeleteWorkspace',
    accountId: 'org_1',
    confirmsDefault: false,
    occurredAt: changedAt,
  };
  const standard = { ...created, data: { ...created.data, isDefault: true } };
  test('deletes it', () => given(created).when(remove).then(deleted));
  test('again is not found', () => given(created, deleted).when(remove).thenRejected('not_found'));
  test('of another account is not found', () =>
    given(created)
      .when({ ...remove, accountId: 'org_2' })
      .thenRejected('not_found'));
  test('that is the default one must be confirmed', () =>
    given(standard).when(remove).thenRejected('invalid_request'));
  test('that is the default one, confirmed, deletes it', () =>
    given(standard)
      .when({ ...remove, confirmsDefault: true })
      .then(deleted));
  test('keeps nothing but whose it was', () => {
    const { workspaceId, accountId, isDefault } = values;
    deepEqual([created, deleted].reduce(workspace.evolve, workspace.initial), {
      kind: 'deleted',
      workspaceId,
      accountId,
      isDefault,
    });
  });
});
