import { deepEqual, equal, rejects } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { AccountKind, type Account } from '@sluice/protos/sluice/account/v1/account';
import { describe, test } from 'vitest';
import { manualClock } from '../testing/manual-clock.ts';
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
  isAlignmentEnabled: false,
});

describe('what kind an account is of', () => {
  test('is asked for once', async () => {
    const asked: string[] = [];
    const cache = createAccountCache(async (accountId) => {
      asked.push(accountId);
      return account(accountId);
    }, manualClock(0));
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
    }, manualClock(0));
    await rejects(cache.isOrganization('org_1'), { code: 'unavailable' });
    equal(await cache.isOrganization('org_1'), true);
  });
});

test('what an account may have is asked for again after 5 seconds', async () => {
  const clock = manualClock(0);
  let isScimEnabled = true;
  let asked = 0;
  const cache = createAccountCache(async (accountId) => {
    asked += 1;
    return { ...account(accountId), isScimEnabled };
  }, clock);
  equal(await cache.hasScim('org_1'), true);
  isScimEnabled = false;
  clock.advance(4_999);
  equal(await cache.hasScim('org_1'), true);
  clock.advance(1);
  equal(await cache.hasScim('org_1'), false);
  equal(await cache.isOrganization('org_1'), true);
  equal(asked, 2);
});

test('whether keys see what they can use only is 5 seconds old at most, and for organizations', async () => {
  const clock = manualClock(0);
  let isFilteredModelCatalogEnabled = true;
  const cache = createAccountCache(
    async (accountId) => ({
      ...account(accountId),
      defaultWorkspaceId: 'w',
      isFilteredModelCatalogEnabled,
    }),
    clock,
  );
  const { isFiltered, defaultWorkspaceId } = await cache.filteredCatalog('org_1');
  deepEqual([isFiltered, defaultWorkspaceId], [true, 'w']);
  equal((await cache.filteredCatalog('user_2')).isFiltered, false);
  isFilteredModelCatalogEnabled = false;
  clock.advance(4_999);
  equal((await cache.filteredCatalog('org_1')).isFiltered, true);
  clock.advance(1);
  equal((await cache.filteredCatalog('org_1')).isFiltered, false);
});
