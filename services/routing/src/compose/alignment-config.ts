import { type Env, loadConfig } from '@sluice/boot';
import { Type } from 'typebox';
import type { ModelEvaluatorOptions } from '../stages/alignment/model-evaluator.ts';

export type AlignmentSettings = ModelEvaluatorOptions;

/** The simulator plays the usual model. An installation without the simulator has to name one. */
export const usualAlignment: AlignmentSettings = { model: 'sim/judge', timeoutMs: 20_000 };

const schema = Type.Object({
  SLUICE_ALIGNMENT_MODEL: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'The model that judges answers for the plugin alignment; sim/judge when absent',
    }),
  ),
  SLUICE_ALIGNMENT_TIMEOUT_MS: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 120_000,
      description: 'Milliseconds that the judgment of one answer may take; 20,000 when absent',
    }),
  ),
});

/** Reads the model that judges answers, and its time. Throws InvalidConfig. */
export function loadAlignment(env: Env): Partial<AlignmentSettings> {
  const { SLUICE_ALIGNMENT_MODEL: model, SLUICE_ALIGNMENT_TIMEOUT_MS: timeoutMs } = loadConfig(
    schema,
    env,
  );
  return { ...(model !== undefined && { model }), ...(timeoutMs !== undefined && { timeoutMs }) };
}
