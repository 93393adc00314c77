import { commandContext, type ReceivedContext } from '@sluice/rpc';
import {
  type Assigned,
  assignToKeys,
  assignToMembers,
  unassignFromKeys,
  unassignFromMembers,
} from '../commands/assign.ts';
import { guardrailIdFrom } from '../commands/configured-guardrail.ts';
import type { GuardrailRpcDependencies, Handlers } from './dependencies.ts';

/** The calls that assign guardrails. */
export function assigning(dependencies: GuardrailRpcDependencies) {
  const { clock, publishChange, shown } = dependencies;
  async function counted(context: ReceivedContext, work: Promise<Assigned>): Promise<number> {
    try {
      const { count, position } = await work;
      await shown(position);
      return count;
    } finally {
      // Also when it broke off: some may have been assigned.
      publishChange(context.accountId);
    }
  }
  return {
    async assignToKeys({ context: sent, guardrailId, keyHashes, assignedBy = null }) {
      const context = commandContext(sent, clock.now());
      const id = guardrailIdFrom(guardrailId);
      const wanted = { guardrailId: id, assignees: keyHashes, assignedBy };
      const work = assignToKeys(dependencies, wanted, context);
      return { assignedCount: await counted(context, work) };
    },
    async unassignFromKeys({ context: sent, guardrailId, keyHashes }) {
      const context = commandContext(sent, clock.now());
      const wanted = { guardrailId: guardrailIdFrom(guardrailId), assignees: keyHashes };
      const work = unassignFromKeys(dependencies, wanted, context);
      return { unassignedCount: await counted(context, work) };
    },
    async assignToMembers({ context: sent, guardrailId, userIds, assignedBy = null }) {
      const context = commandContext(sent, clock.now());
      const id = guardrailIdFrom(guardrailId);
      const wanted = { guardrailId: id, assignees: userIds, assignedBy };
      const work = assignToMembers(dependencies, wanted, context);
      return { assignedCount: await counted(context, work) };
    },
    async unassignFromMembers({ context: sent, guardrailId, userIds }) {
      const context = commandContext(sent, clock.now());
      const wanted = { guardrailId: guardrailIdFrom(guardrailId), assignees: userIds };
      const work = unassignFromMembers(dependencies, wanted, context);
      return { unassignedCount: await counted(context, work) };
    },
  } satisfies Partial<Handlers>;
}
