import { ok } from 'node:assert/strict';
import { commandContext, type GovernedWorld } from './governed-world.ts';

/** The actions of an administrator of one account. Limits are nano-USD. */
export function administrator(world: GovernedWorld, accountId: string, workspaceId: string) {
  const context = () => commandContext(accountId);
  return {
    setBudget: async (limitNanoUsd: bigint, windowKind = 'monthly') => {
      const workspaceRef = workspaceId;
      await world.workspaces.setBudget({
        context: context(),
        workspaceRef,
        windowKind,
        limitNanoUsd,
      });
    },
    removeBudget: async (windowKind = 'monthly') => {
      await world.workspaces.removeBudget({
        context: context(),
        workspaceRef: workspaceId,
        windowKind,
      });
    },
    /** A guardrail in no workspace; returns its id. */
    createGuardrail: async (limitNanoUsd: bigint): Promise<string> => {
      const { guardrail } = await world.guardrails.createGuardrail({
        context: context(),
        workspaceId: '',
        isUnscoped: true,
        values: valuesOf(limitNanoUsd),
      });
      ok(guardrail);
      return guardrail.guardrailId;
    },
    limitGuardrail: async (guardrailId: string, limitNanoUsd: bigint) => {
      await world.guardrails.updateGuardrail({
        context: context(),
        guardrailId,
        values: valuesOf(limitNanoUsd),
        fields: ['limit_usd', 'reset_interval'],
      });
    },
    deleteGuardrail: async (guardrailId: string) => {
      await world.guardrails.deleteGuardrail({ context: context(), guardrailId });
    },
    assignToKeys: async (guardrailId: string, ...keyHashes: string[]) => {
      const assigned = { context: context(), guardrailId, keyHashes };
      await world.guardrails.assignToKeys(assigned);
    },
    assignToMembers: async (guardrailId: string, ...userIds: string[]) => {
      const assigned = { context: context(), guardrailId, userIds };
      await world.guardrails.assignToMembers(assigned);
    },
  };
}

function valuesOf(limitNanoUsd: bigint) {
  const resetInterval = 'monthly';
  return { name: 'Guardrail', limitNanoUsd, resetInterval, includeByok: false, rules: undefined };
}
