import { specification } from '@sluice/es/testing';
import { describe, test } from 'vitest';
import { type ClaimSlug, workspaceSlug } from './decide.ts';

const { given } = specification(workspaceSlug);
const claim: ClaimSlug = {
  type: 'ClaimSlug',
  accountId: 'org_1',
  slug: 'research',
  workspaceId: 'w1',
  claimId: 'c1',
  lapsedClaimId: undefined,
  occurredAt: '2026-01-02T03:04:05.678Z',
};
const claimed = (workspaceId: string, claimId: string) => ({
  type: 'WorkspaceSlugClaimed' as const,
  data: {
    accountId: 'org_1',
    slug: 'research',
    workspaceId,
    claimId,
    claimedAt: claim.occurredAt,
  },
});

describe('claiming a slug', () => {
  test('that nobody has claims it', () => given().when(claim).then(claimed('w1', 'c1')));
  test('again by the same command changes nothing', () =>
    given(claimed('w1', 'c1')).when(claim).thenNothing());
  test('by another command of the same workspace claims it anew', () =>
    given(claimed('w1', 'c1'))
      .when({ ...claim, claimId: 'c2' })
      .then(claimed('w1', 'c2')));
  test('that another workspace has claimed is rejected', () =>
    given(claimed('w2', 'c2')).when(claim).thenRejected('conflict'));
  test('whose claim is known to have lapsed claims it', () =>
    given(claimed('w2', 'c2'))
      .when({ ...claim, lapsedClaimId: 'c2' })
      .then(claimed('w1', 'c1')));
  test('that was claimed anew since the claim lapsed is rejected', () =>
    given(claimed('w2', 'c2'), claimed('w3', 'c3'))
      .when({ ...claim, lapsedClaimId: 'c2' })
      .thenRejected('conflict'));
});
