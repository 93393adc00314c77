import {
  aggregateService,
  type AggregateDependencies,
  beside,
} from '@sluice/boot/aggregate-service';
import { directoryStream } from '@sluice/bus';
import { createScanner } from '@sluice/content-scanner';
import { completeWithin } from '@sluice/read-model';
import { createWorkerPool } from '@sluice/worker-pool';
import { createPatternCheck } from './commands/check-patterns.ts';
import type { Catalog, Directory } from './commands/directory.ts';
import { guardrailsProjection } from './projections/guardrails.ts';
import { followDirectory } from './reactions/follow-directory.ts';
import { followEndings } from './reactions/follow-endings.ts';
import {
  publishGuardrailChange,
  publishGuardrailChanges,
} from './reactions/publish-guardrail-changes.ts';
import { publishGuardrailLimits } from './reactions/publish-guardrail-limits.ts';
import { guardrailReadModels } from './read-models.ts';
import { guardrailRpc } from './rpc/guardrail-service.ts';
import { aggregatesIn } from './store/aggregates.ts';

export { rpcCatalog } from './clients/catalog.ts';
export { type DirectoryClients, rpcDirectory } from './clients/directory.ts';
export type { Catalog, Directory };

export interface GuardrailDependencies extends AggregateDependencies {
  readonly directory: Directory;
  readonly catalog: Catalog;
}

/** Milliseconds that a query waits for a read model that begins. */
const completeTimeoutMs = 500;
/** The sum of these two stays below the deadline of a call from the gateway. */
const scanDeadlineMs = 3_000;
const scanWaitMs = 1_500;

/** Guardrails: their demands, their assignments, and the effective policy of a request. */
export function createService(given: GuardrailDependencies) {
  const pool = createWorkerPool({
    deadlineMs: scanDeadlineMs,
    starvedMs: scanDeadlineMs,
    waitMs: scanWaitMs,
  });
  return aggregateService(given, {
    readModels: guardrailReadModels,
    streams: [directoryStream],
    rpc: (opened) => [
      guardrailRpc({
        ...opened,
        aggregates: aggregatesIn(opened.eventStore),
        checkPatterns: createPatternCheck(pool),
        scanner: createScanner({ pool }),
        isComplete: () =>
          completeWithin(() => opened.isComplete(guardrailsProjection), completeTimeoutMs),
        publishChange: (accountId) => beside(publishGuardrailChange(opened.bus, { accountId })),
        shown: opened.shown(guardrailsProjection),
      }),
    ],
    reactions(opened) {
      const aggregates = aggregatesIn(opened.eventStore);
      const known = { ...opened, aggregates, projected: opened.held(guardrailsProjection) };
      return [
        followEndings(known),
        publishGuardrailChanges(known),
        publishGuardrailLimits(opened.bus, opened.eventStore),
      ];
    },
    follow: (opened) => [
      followDirectory({ ...opened, aggregates: aggregatesIn(opened.eventStore) }),
    ],
    stop: () => pool.stop(),
  });
}
