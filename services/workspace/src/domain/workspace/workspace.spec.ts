import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import { type CreateWorkspace, workspace } from './decide.ts';

const { given } = specification(workspace);
const create: CreateWorkspace = {
  type: 'CreateWorkspace',
  workspaceId: '0190a000-0000-7000-8000-000000000010',
  accountId: 'org_1',
  name: 'Research',
  slug: 'research-1',
  isDefault: false,
  occurredAt: '2026-01-02T03:04:05.678Z',
};
const { type: _type, occurredAt, ...values } = create;
const created = {
  type: 'WorkspaceCreated' as const,
  data: { ...values, createdAt: occurredAt },
};

describe('creating a workspace', () => {
  test('creates it', () => given().when(create).then(created));
  test('again changes nothing', () =>
    given(created)
      .when({ ...create, occurredAt: '2026-02-02T03:04:05.678Z' })
      .thenNothing());
  test.each([{ name: 'Other' }, { slug: 'other' }, { accountId: 'org_2' }, { isDefault: true }])(
    'again with other values is rejected: %o',
    (other) =>
      given(created)
        .when({ ...create, ...other })
        .thenRejected('conflict'),
  );
  test.each([
    { workspaceId: 'research' },
    { name: '' },
    { name: '   ' },
    { name: 'n'.repeat(101) },
    { name: 'a\0b' },
    { slug: '' },
    { slug: 'Research' },
    { slug: '-a' },
    { slug: 'a--b' },
    { slug: 's'.repeat(51) },
    { slug: '0190a000-0000-7000-8000-000000000011' },
  ])('with malformed values is rejected: %o', (wrong) =>
    given()
      .when({ ...create, ...wrong })
      .thenRejected('invalid_request'),
  );
});
