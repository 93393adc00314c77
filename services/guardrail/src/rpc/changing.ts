import { commandContext } from '@sluice/rpc';
import { carryOut, createGuardrail, updateGuardrail } from '../commands/change-guardrail.ts';
import { guardrailIdFrom } from '../commands/configured-guardrail.ts';
import type { GuardrailRpcDependencies, Handlers } from './dependencies.ts';
import { fromState } from './guardrail-message.ts';
import { wantedOfFields, wantedOfNew } from './wanted-guardrail.ts';

/** The calls that make, change and delete guardrails. */
export function changing(dependencies: GuardrailRpcDependencies) {
  const { clock, publishChange, shown } = dependencies;
  type Handled = Awaited<ReturnType<typeof carryOut>>;
  async function told({ events, position, state }: Handled, accountId: string) {
    await shown(position);
    if (events.length > 0) publishChange(accountId);
    return fromState(state);
  }
  return {
    async createGuardrail({ context: sent, workspaceId, isUnscoped, values }) {
      const context = commandContext(sent, clock.now());
      const wanted = wantedOfNew(values);
      const place = { workspaceId: isUnscoped ? null : workspaceId, wanted };
      const handled = await createGuardrail(dependencies, place, context);
      return { guardrail: await told(handled, context.accountId) };
    },
    async updateGuardrail({ context: sent, guardrailId, values, fields }) {
      const context = commandContext(sent, clock.now());
      const wanted = wantedOfFields(values, fields);
      const change = { guardrailId: guardrailIdFrom(guardrailId), wanted };
      const handled = await updateGuardrail(dependencies, change, context);
      return { guardrail: await told(handled, context.accountId) };
    },
    async deleteGuardrail({ context: sent, guardrailId }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt } = context;
      const command = { type: 'DeleteGuardrail', accountId, occurredAt } as const;
      const id = guardrailIdFrom(guardrailId);
      await told(await carryOut(dependencies, id, command, context), accountId);
      return {};
    },
  } satisfies Partial<Handlers>;
}
