import { requireAccepted } from '@sluice/errors';
import { commandContext } from '@sluice/rpc';
import { allowedPhrases } from '../queries/allowed-phrases.ts';
import type { GuardrailRpcDependencies, Handlers } from './dependencies.ts';

/** The calls about the phrases that the patterns of prompt injection pass over. */
export function allowing(dependencies: GuardrailRpcDependencies) {
  const { aggregates, clock, publishChange, shown, readModel } = dependencies;
  return {
    async getAllowedPhrases({ accountId }) {
      return { phrases: [...(await allowedPhrases(readModel, accountId))] };
    },
    async setAllowedPhrases({ context: sent, phrases }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt } = context;
      const command = { type: 'SetGuardrailPhrases', accountId, phrases, occurredAt } as const;
      const handled = requireAccepted(await aggregates.handlePhrases(accountId, command, context));
      await shown(handled.position);
      if (handled.events.length > 0) publishChange(accountId);
      return { phrases: [...handled.state.phrases] };
    },
  } satisfies Partial<Handlers>;
}
