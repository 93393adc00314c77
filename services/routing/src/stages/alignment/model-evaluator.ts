import { isRejection } from '@sluice/errors';
import { evaluationQuestion, verdictOf } from './evaluation-question.ts';
import type { Evaluator, Verdict } from './evaluator.ts';

export interface ModelEvaluatorOptions {
  /** A model of the catalog. */
  readonly model: string;
  /** Milliseconds that one evaluation may take. */
  readonly timeoutMs: number;
}

/** Asks a model through the pipeline, in the name and at the cost of the caller. The question has its own holds. */
export function modelEvaluator({ model, timeoutMs }: ModelEvaluatorOptions): Evaluator {
  return {
    async evaluate({ rules, message, call, work }) {
      let isAborted = false;
      const asked = {
        type: 'plugin:alignment',
        engine: '',
        worstNanoUsd: 0n,
        timeoutMs,
        call,
      } as const;
      const ended = await work.run<Verdict>(asked, async ({ signal, ask }) => {
        signal.addEventListener('abort', () => (isAborted = true), { once: true });
        const result = verdictOf(
          await ask(evaluationQuestion(model, rules, message)),
          rules.length,
        );
        return { result, isFailed: 'reason' in result, charge: { costNanoUsd: 0n } };
      });
      if (isRejection(ended)) return { reason: 'evaluator_error', costNanoUsd: 0n };
      const { result, costNanoUsd } = ended;
      if (result && 'probabilities' in result) return { ...result, costNanoUsd };
      const reason = isAborted ? 'time_limit' : (result?.reason ?? 'evaluator_error');
      return { reason, costNanoUsd };
    },
  };
}
