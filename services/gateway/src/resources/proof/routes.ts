import { Fault } from '@sluice/errors';
import type {
  BudgetProof,
  GetConservationProofResponse,
} from '@sluice/protos/sluice/ledger/v1/ledger';
import type { LedgerCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf } from '../../http/caller.ts';
import { keyHash } from '../../http/schemas/fields.ts';
import {
  budgetProofParameters,
  budgetProofQuery,
  budgetProofReply,
  conservationProofQuery,
  conservationProofReply,
} from './schema.ts';

/** The budget that is the credits of the caller's account. */
const creditsId = 'credits';
/** A workspace or a guardrail. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Serves the ledger's figures, with which a client can check that a limit was kept. */
export function proofRoutes(app: App, { ledger }: { readonly ledger: LedgerCalls }): void {
  conservationRoute(app, ledger);
  app.route({
    method: 'GET',
    url: '/proof/budget/:id',
    config: { auth: 'management', errors: [400, 404] },
    schema: {
      operationId: 'proveBudget',
      summary: 'Read the figures that a limit is kept by, now or at a past instant',
      params: budgetProofParameters,
      querystring: budgetProofQuery,
      response: { 200: budgetProofReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { id } = request.params;
      const isCredits = id === creditsId;
      if (!isCredits && !keyHash.test(id) && !uuid.test(id)) throw new Fault('not_found');
      const scopeId = isCredits ? accountId : id;
      const { at = '' } = request.query;
      const proof = await ledger.getBudgetProof({ accountId, scopeId, at });
      // The credits have a name of their own, whatever the id of the account looks like.
      const budgets = proof.budgets.filter(
        ({ scopeKind }) => (scopeKind === 'account') === isCredits,
      );
      if (budgets.length === 0) throw new Fault('not_found');
      return { data: { id, at: proof.at, budgets: budgets.map(budgetView) } };
    },
  });
}

/** The bound of an absent parameter. */
const firstDay = '0001-01-01';
const lastDay = '9999-12-31';

function conservationRoute(app: App, ledger: LedgerCalls): void {
  app.route({
    method: 'GET',
    url: '/proof/conservation',
    config: { auth: 'management', errors: [400] },
    schema: {
      operationId: 'proveConservation',
      summary: 'Read what was admitted, and what became of it',
      querystring: conservationProofQuery,
      response: { 200: conservationProofReply },
    },
    handler: async (request) => {
      const { accountId } = callerOf(request);
      const { from, to } = request.query;
      const days = { fromDay: from ?? firstDay, toDay: to ?? lastDay };
      const proof = await ledger.getConservationProof({ accountId, ...days });
      return { data: { from: from ?? null, to: to ?? null, ...conservationView(proof) } };
    },
  });
}

function conservationView(proof: GetConservationProofResponse) {
  const { admitted, settled, underWay, released, open } = proof;
  const ended = [settled, underWay, released, open];
  return {
    at: proof.at,
    reported_at: proof.reportedAt === '' ? null : proof.reportedAt,
    admitted: Number(admitted),
    settled: Number(settled),
    under_way: Number(underWay),
    released: Number(released),
    open: {
      attempts: Number(open),
      hold_nano_usd: String(proof.openHoldNanoUsd),
      usage_ids: proof.openAttempts.map(({ usageId }) => usageId),
    },
    settled_nano_usd: String(proof.settledNanoUsd),
    suspense: {
      attempts: Number(proof.suspended),
      held_nano_usd: String(proof.suspendedNanoUsd),
      claimed_nano_usd: String(proof.claimedNanoUsd),
      usage_ids: proof.suspendedUsageIds,
    },
    is_conserved:
      ended.every((count) => count >= 0n) &&
      admitted === ended.reduce((sum, count) => sum + count, 0n),
  };
}

function budgetView(budget: BudgetProof) {
  const { scopeKind, scopeId, settledNanoUsd, suspendedNanoUsd, leasedNanoUsd } = budget;
  const [, assigneeKind = '', assigneeId = ''] =
    scopeKind === 'guardrail' ? scopeId.split(':') : [];
  const spoken = settledNanoUsd + suspendedNanoUsd + (leasedNanoUsd ?? 0n);
  return {
    scope: scopeKind,
    ...(assigneeKind === '' ? {} : { assignee: { kind: assigneeKind, id: assigneeId } }),
    window: budget.windowKind,
    window_start: budget.windowStart,
    includes_byok: budget.includeByok,
    limit_nano_usd: String(budget.limitNanoUsd),
    settled_nano_usd: String(settledNanoUsd),
    suspended_nano_usd: String(suspendedNanoUsd),
    leased_nano_usd: digits(leasedNanoUsd),
    held_nano_usd: digits(budget.heldNanoUsd),
    leases: budget.leases === undefined ? null : Number(budget.leases),
    is_within_limit: spoken <= budget.limitNanoUsd,
  };
}

function digits(amount: bigint | undefined): string | null {
  return amount === undefined ? null : String(amount);
}
