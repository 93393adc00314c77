import type { Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type { WorkspaceSlugEvent } from './events.ts';
import { evolve, initial, type WorkspaceSlug } from './state.ts';

export interface ClaimSlug {
  readonly type: 'ClaimSlug';
  readonly accountId: string;
  readonly slug: string;
  readonly workspaceId: string;
  readonly claimId: string;
  /** The claim of another workspace that is known to hold no longer. */
  readonly lapsedClaimId: string | undefined;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

export type WorkspaceSlugRejection = Rejection<'conflict'>;

function decide(
  { type: _type, lapsedClaimId, occurredAt, ...claim }: ClaimSlug,
  slug: WorkspaceSlug,
): readonly WorkspaceSlugEvent[] | WorkspaceSlugRejection {
  if (slug.kind === 'claimed') {
    if (slug.claimId === claim.claimId) return [];
    const mayTake = slug.workspaceId === claim.workspaceId || slug.claimId === lapsedClaimId;
    if (!mayTake) return { rejected: 'conflict', message: `The slug "${claim.slug}" is taken` };
  }
  return [{ type: 'WorkspaceSlugClaimed', data: { ...claim, claimedAt: occurredAt } }];
}

/** One slug of one account: who takes it first has it, however many try at once. */
export const workspaceSlug: Decider<
  ClaimSlug,
  WorkspaceSlug,
  WorkspaceSlugEvent,
  WorkspaceSlugRejection
> = { category: 'workspaceSlug', initial, evolve, decide };
