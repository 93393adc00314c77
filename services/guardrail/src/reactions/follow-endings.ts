import type { CommandContext, Position, RecordedEvent } from '@sluice/es';
import { defaultGuardrailId } from '@sluice/policy';
import { type Projection, type Queryable, requireHeld } from '@sluice/read-model';
import { derivedId } from '@sluice/clock-and-ids';
import { forEach } from '../commands/assignees.ts';
import { assigneesOfGuardrail } from '../queries/assignees-of-guardrail.ts';
import { guardrailsOfWorkspace } from '../queries/guardrails-of-workspace.ts';
import type { Aggregates } from '../store/aggregates.ts';
import { decodeFact } from '../store/facts.ts';
import { guardrailEvents } from '../store/guardrail-events.ts';
import { guardrailWorkspaceEvents } from '../store/guardrail-workspace-events.ts';
import { keyGuardrailEvents } from '../store/key-guardrail-events.ts';
import { memberGuardrailEvents } from '../store/member-guardrail-events.ts';

export interface EndingsDependencies {
  readonly aggregates: Aggregates;
  /** Resolves with false when the read model does not hold the position in time. */
  readonly projected: (position: Position) => Promise<boolean>;
}

/**
 * Ends what depends on what has ended: the assignments of a guardrail, the guardrails of a workspace.
 * Older dependents are in the read model by then; younger ones are checked when they
 * arrive. Each step is a command whose id follows from the event, so that a crash
 * between any two of them changes nothing.
 */
export function followEndings({ aggregates, projected }: EndingsDependencies): Projection {
  const ending = { aggregates, projected };
  return {
    projection: 'guardrail.follow_endings',
    version: 1,
    streamPrefixes: [
      guardrailEvents.streamPrefix,
      keyGuardrailEvents.streamPrefix,
      memberGuardrailEvents.streamPrefix,
      guardrailWorkspaceEvents.streamPrefix,
    ],
    tables: [],
    async apply(readModel, events) {
      // All of these existed before the first call: an end after its response finds them.
      const once = { ...ending, hasEnded: askedOnce((id) => aggregates.hasEnded(id)) };
      for (const recorded of events) await follow(once, readModel, recorded);
    },
  };
}

interface Following extends EndingsDependencies {
  readonly hasEnded: Aggregates['hasEnded'];
}

function askedOnce(hasEnded: Aggregates['hasEnded']): Aggregates['hasEnded'] {
  const answers = new Map<string, Promise<boolean>>();
  return (workspaceId) => {
    const answer = answers.get(workspaceId) ?? hasEnded(workspaceId);
    answers.set(workspaceId, answer);
    return answer;
  };
}

async function follow(
  { aggregates, projected, hasEnded }: Following,
  readModel: Queryable,
  recorded: RecordedEvent,
): Promise<void> {
  const event = decodeFact(recorded);
  const step = stepsOf(recorded);
  const { occurredAt } = step('');
  switch (event.type) {
    case 'GuardrailDeleted': {
      await requireHeld(projected, [recorded]);
      return await unassignAll(aggregates, readModel, guardrailEvents.idOf(recorded.stream), step);
    }
    case 'GuardrailAssignedToKey': {
      const { accountId, guardrailId, keyHash } = event.data;
      if (await isConfigured(aggregates, guardrailId)) return;
      const command = { type: 'UnassignFromKey', accountId, guardrailId, keyHash } as const;
      await aggregates.handleKey(keyHash, { ...command, occurredAt }, step(keyHash));
      return;
    }
    case 'GuardrailAssignedToMember': {
      const { accountId, guardrailId, userId } = event.data;
      if (await isConfigured(aggregates, guardrailId)) return;
      const command = { type: 'UnassignFromMember', accountId, guardrailId, userId } as const;
      await aggregates.handleMember({ ...command, occurredAt }, step(userId));
      return;
    }
    case 'GuardrailWorkspaceEnded': {
      await requireHeld(projected, [recorded]);
      const { accountId, workspaceId } = event.data;
      const kept = await guardrailsOfWorkspace(readModel, { accountId, workspaceId });
      const all = new Set([...kept, defaultGuardrailId(workspaceId)]);
      for (const guardrailId of all) await remove(aggregates, guardrailId, accountId, step);
      return;
    }
    case 'GuardrailCreated':
    case 'DefaultGuardrailMaterialized': {
      const { accountId, guardrailId, workspaceId } = event.data;
      if (workspaceId !== null && (await hasEnded(workspaceId)))
        await remove(aggregates, guardrailId, accountId, step);
      return;
    }
    case 'GuardrailUpdated':
    case 'GuardrailUnassignedFromKey':
    case 'GuardrailKeyRetired':
    case 'GuardrailUnassignedFromMember':
      return;
  }
}

type Step = (assignee: string) => CommandContext;

/** The context of each command that follows from an event: the same, however often it is followed. */
function stepsOf({ id, recordedAt, metadata }: RecordedEvent): Step {
  const { requestId } = metadata as { readonly requestId: string };
  return (assignee) => ({
    commandId: derivedId('guardrail ending', id, assignee),
    occurredAt: recordedAt.toISOString(),
    actor: { type: 'system', id: 'guardrail' },
    requestId,
  });
}

async function unassignAll(
  aggregates: Aggregates,
  readModel: Queryable,
  guardrailId: string,
  step: Step,
): Promise<void> {
  const guardrail = await aggregates.guardrail(guardrailId);
  if (guardrail.status === 'none') return;
  const { accountId } = guardrail;
  const { occurredAt } = step('');
  const { keyHashes, userIds } = await assigneesOfGuardrail(readModel, guardrailId);
  await forEach(keyHashes, (keyHash) => {
    const command = { type: 'UnassignFromKey', accountId, guardrailId, keyHash } as const;
    return aggregates.handleKey(keyHash, { ...command, occurredAt }, step(keyHash));
  });
  await forEach(userIds, (userId) => {
    const command = { type: 'UnassignFromMember', accountId, guardrailId, userId } as const;
    return aggregates.handleMember({ ...command, occurredAt }, step(userId));
  });
}

/** Ignores the rejection of a resource that is gone already. */
async function remove(
  aggregates: Aggregates,
  guardrailId: string,
  accountId: string,
  step: Step,
): Promise<void> {
  const context = step(guardrailId);
  const { occurredAt } = context;
  const command = { type: 'DeleteGuardrail', accountId, occurredAt } as const;
  await aggregates.handleGuardrail(guardrailId, command, context);
}

async function isConfigured(aggregates: Aggregates, guardrailId: string): Promise<boolean> {
  return (await aggregates.guardrail(guardrailId)).status === 'configured';
}
