import { ok } from 'node:assert/strict';
import { subjects } from '@sluice/bus';
import type { LeaseRequest } from '@sluice/protos/sluice/ledger/v1/ledger';
import { LimitsSet } from '@sluice/protos/sluice/limit/v1/limit_events';
import { ledgerFixture } from './ledger-fixture.ts';

const lifetime = '1970-01-01T00:00:00.000Z';

/** The credits of the facts' account, as a budget. */
export const credits = {
  accountId: 'acct_1',
  scopeKind: 'account',
  scopeId: 'acct_1',
  windowKind: 'lifetime',
  windowStart: lifetime,
};
/** A lease that is asked for. */
export const lease = (
  number: bigint,
  need: bigint,
  more: Partial<LeaseRequest> = {},
): LeaseRequest => ({
  number,
  budget: credits,
  grantedNanoUsd: 0n,
  returnedNanoUsd: 0n,
  needNanoUsd: need,
  wantedNanoUsd: need,
  usualHoldNanoUsd: 1n,
  limitNanoUsd: undefined,
  includeByok: false,
  close: false,
  ...more,
});

/** A ledger with credits, asked for leases by writers such as `a` or `a@2` (its second epoch). */
export async function leaseFixture(creditsNanoUsd = 100n) {
  const ledger = await ledgerFixture();
  const acquire = async (writer: string, ...leases: readonly LeaseRequest[]) => {
    const [replica = '', epoch = '1'] = writer.split('@');
    return await ledger.client.acquireLeases({
      replica,
      epoch: BigInt(epoch),
      leases: [...leases],
    });
  };
  const one = async (writer: string, request: LeaseRequest) => {
    const [answer] = (await acquire(writer, request)).leases;
    ok(answer);
    return answer;
  };
  if (creditsNanoUsd > 0n) {
    await ledger.publishCredit('c1', 'grant', creditsNanoUsd);
    await ledger.until(async () => (await ledger.count('credits')) === 1);
  }
  let revisions = 0;
  const limit = async (
    scope: { readonly scopeKind: string; readonly scopeId: string },
    limitNanoUsd: bigint,
    windowKind = 'daily',
  ) => {
    const revision = BigInt(revisions++);
    const { scopeKind, scopeId } = scope;
    const limitId = `${scopeKind}/${scopeId}@${revision}`;
    const limits = [{ windowKind, limitNanoUsd }];
    const fact = { limitId, accountId: 'acct_1', ...scope, revision, limits, includeByok: false };
    const subject = subjects.limitsSet('acct_1');
    await ledger.bus.publishFact(subject, fact.limitId, LimitsSet.toJSON(fact) as object);
    const known = `limit_revisions WHERE scope_id = '${scopeId}' AND revision = ${revision}`;
    await ledger.until(async () => (await ledger.count(known)) === 1);
  };
  const limitKey = async (limitNanoUsd: bigint, windowKind?: string) =>
    await limit({ scopeKind: 'key', scopeId: 'key1' }, limitNanoUsd, windowKind);
  return { ...ledger, acquire, one, limit, limitKey };
}
