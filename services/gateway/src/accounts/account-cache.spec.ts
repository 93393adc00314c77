import { deepEqual, equal, rejects } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { AccountKind, type Account } from '@sluice/protos/sluice/account/v1/account';
import { describe, test } from 'vitest';
import { createAccountCache } from './account-cache.ts';

const account = (accountId: string): Account => ({
  accountId,
  kind: accountId.startsWith('org_')
    ? AccountKind.ACCOUNT_KIND_ORGANIZATION
    : AccountKind.ACCOUNT_KIND_PERSONAL,
  name: '',
  ownerUserId: '',
  defaultWorkspaceId: '',
  createdAt: '',
  isFilteredModelCatalogEnabled: false,
  isScimEnabled: true,
});

describe('what kind an account is of', () => {
  test('is asked for once', async () => {
    const asked: string[] = [];
    const cache = createAccountCache(async (accountId) => {
      asked.push(accountId);
      return account(accountId);
    });
    const ids = ['org_1', 'org_1', 'user_2', 'org_1'];
    const answers = await Promise.all(ids.map((id) => cache.isOrganization(id)));
    deepEqual(answers, [true, true, false, true]);
    equal(await cache.isOrganization('org_1'), true);
    deepEqual(asked, ['org_1', 'user_2']);
  });

  test('is asked for again after the question failed', async () => {
    let asked = 0;
    const cache = createAccountCache(async (accountId) => {
      asked += 1;
      if (asked === 1) throw new Fault('unavailable');
      return account(accountId);
    });
    await rejects(cache.isOrganization('org_1'), { code: 'unavailable' });
    equal(await cache.isOrganization('org_1'), true);
  });
});
