import { requireAccepted } from '@sluice/errors';
import { commandContext } from '@sluice/rpc';
import { initial } from '../domain/unsupported-features/state.ts';
import { unsupportedFeaturesMode } from '../queries/unsupported-features-mode.ts';
import type { GuardrailRpcDependencies, Handlers } from './dependencies.ts';

/** The calls about what happens to features of requests that nothing serves. */
export function leavingOut(dependencies: GuardrailRpcDependencies) {
  const { aggregates, clock, publishChange, shown, readModel } = dependencies;
  return {
    async getUnsupportedFeaturesMode({ accountId }) {
      return { mode: (await unsupportedFeaturesMode(readModel, accountId)) ?? initial.mode };
    },
    async setUnsupportedFeaturesMode({ context: sent, mode }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt } = context;
      const command = { type: 'SetUnsupportedFeaturesMode', accountId, mode, occurredAt } as const;
      const handled = requireAccepted(
        await aggregates.handleUnsupportedFeatures(accountId, command, context),
      );
      await shown(handled.position);
      if (handled.events.length > 0) publishChange(accountId);
      return { mode: handled.state.mode };
    },
  } satisfies Partial<Handlers>;
}
