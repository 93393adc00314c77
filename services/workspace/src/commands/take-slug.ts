import { Fault, requireAccepted } from '@sluice/errors';
import type { CommandContext, EventStore } from '@sluice/es';
import { derivedId } from '@sluice/clock-and-ids';
import type { WorkspaceSlug } from '../domain/workspace-slug/state.ts';
import { workspaceEvents } from '../store/workspace-events.ts';
import {
  slugId,
  type SlugOfAccount,
  workspaceSlugEvents,
  type WorkspaceSlugHandler,
} from '../store/workspace-slug-events.ts';

export interface TakeSlugDependencies {
  readonly eventStore: EventStore;
  readonly handleSlug: WorkspaceSlugHandler;
}

export interface WantedSlug extends SlugOfAccount {
  readonly workspaceId: string;
}

/** Longer than any append is tried for: a command this old writes nothing any more. */
export const claimMsMax = 30_000;

/**
 * Gives the slug to the workspace, or throws a conflict when another one has it. The command then
 * writes it into the workspace; until then no other workspace gets the slug. When it never does, because
 * its process has died, the slug is free again after 30 s. A slug that its workspace has changed, or
 * that died with it, is free at once.
 */
export async function takeSlug(
  { eventStore, handleSlug }: TakeSlugDependencies,
  { accountId, slug, workspaceId }: WantedSlug,
  context: CommandContext,
): Promise<void> {
  const id = slugId({ accountId, slug });
  const { state: before } = await workspaceSlugEvents.load(eventStore, id);
  const hasLapsed =
    before.kind === 'claimed' &&
    before.workspaceId !== workspaceId &&
    (await isLapsed(eventStore, before, context.occurredAt));
  const handled = await handleSlug(
    id,
    {
      type: 'ClaimSlug',
      accountId,
      slug,
      workspaceId,
      claimId: context.commandId,
      lapsedClaimId: hasLapsed ? before.claimId : undefined,
      occurredAt: context.occurredAt,
    },
    // The events of the workspace carry the command itself: their ids must be others.
    { ...context, commandId: derivedId('claim slug', slug, context.commandId) },
  ).catch((error: unknown) => {
    // So many want it at once that one of them must have got it.
    const isCrowded = error instanceof Fault && error.code === 'revision_conflict';
    throw isCrowded ? new Fault('conflict', { message: `The slug "${slug}" is taken` }) : error;
  });
  requireAccepted(handled);
}

/** True when the workspace of that claim does not have the slug, and will not get it by the claim. */
async function isLapsed(
  eventStore: EventStore,
  { workspaceId, slug, claimId, claimedAt }: Extract<WorkspaceSlug, { kind: 'claimed' }>,
  now: string,
): Promise<boolean> {
  const { state, handledBefore } = await workspaceEvents.load(eventStore, workspaceId, claimId);
  if (state.kind === 'deleted') return true;
  if (state.kind === 'created' && state.settings.slug === slug) return false;
  return handledBefore || Date.parse(now) - Date.parse(claimedAt) > claimMsMax;
}
