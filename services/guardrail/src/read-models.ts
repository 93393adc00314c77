import { join } from 'node:path';
import type { ReadModels } from '@sluice/read-model';
import { guardrailsProjection } from './projections/guardrails.ts';

/** The projections of this service, for tools that maintain read models. */
export const guardrailReadModels: ReadModels = {
  schema: 'guardrail',
  migrations: join(import.meta.dirname, 'migrations'),
  projections: [guardrailsProjection],
  restating: ['guardrail.publish_changes', 'guardrail.publish_limits'],
};
