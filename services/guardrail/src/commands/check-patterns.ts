import { Fault, invalidRequest, type Issue, type Rejection } from '@sluice/errors';
import type { WorkerPool } from '@sluice/worker-pool';
import { patternInstructionsMax } from '@sluice/policy';
import { leastInstructions, shapeProblem } from './pattern-shape.ts';
import type { CompiledPattern } from './pattern-worker.ts';

/**
 * Returns the problem of each pattern; undefined for a valid one. Throws the Fault `overloaded` if they could not be
 * compiled now.
 */
export type CheckPatterns = (
  account: string,
  patterns: readonly string[],
) => Promise<readonly (string | undefined)[]>;

const module = new URL('pattern-worker.ts', import.meta.url);
const retryAfterSeconds = 2;
/** Larger sets are refused uncompiled: compiling them only to count would take seconds. */
const uncompiledMax = 2 * patternInstructionsMax;

/**
 * Checks patterns in threads, in turns by account. The bound is in instructions, not in time: what is refused on one
 * machine is refused on all.
 */
export function createPatternCheck(pool: WorkerPool): CheckPatterns {
  return async (account, patterns) => {
    const compiled: (CompiledPattern | undefined)[] = patterns.map(withoutCompiling);
    const unknown = patterns.filter((_pattern, index) => compiled[index] === undefined);
    const found = unknown.length === 0 ? [] : await compileAll(pool, account, unknown);
    const next = found.values();
    let before = 0;
    return compiled.map((known) => {
      const pattern = known ?? next.next().value;
      if (!pattern) throw new Error('invariant: each pattern is compiled');
      if ('problem' in pattern) return pattern.problem;
      const { instructions } = pattern;
      before += instructions;
      return before > patternInstructionsMax
        ? tooLarge(`${instructions}`, before - instructions)
        : undefined;
    });
  };
}

/** Returns the problem that shows without compiling, or undefined if only the engine can find one. */
function withoutCompiling(pattern: string): CompiledPattern | undefined {
  const problem = shapeProblem(pattern);
  if (problem !== undefined) return { problem };
  if (leastInstructions(pattern) > uncompiledMax)
    return { problem: tooLarge(`more than ${uncompiledMax}`, 0) };
  return undefined;
}

function tooLarge(instructions: string, before: number): string {
  return (
    `it is compiled to ${instructions} instructions, and a guardrail may have ` +
    `${patternInstructionsMax} altogether` +
    (before > 0 ? ` (the patterns before it have ${before})` : '')
  );
}

async function compileAll(
  pool: WorkerPool,
  account: string,
  input: readonly string[],
): Promise<readonly CompiledPattern[]> {
  const outcome = await pool.run<readonly CompiledPattern[]>({ account, module, input });
  if (typeof outcome !== 'string') return outcome.result;
  throw new Fault('overloaded', {
    message: 'The patterns could not be compiled now. Please try again later.',
    retryAfterSeconds,
  });
}

/** Returns the rejection of filters with invalid patterns; undefined: all are valid. */
export function patternRejection(
  problems: readonly (string | undefined)[],
): Rejection<'invalid_request'> | undefined {
  const issues: Issue[] = problems.flatMap((problem, index) =>
    problem === undefined
      ? []
      : [
          {
            path: `content_filters.${index}.pattern`,
            message: `is no regular expression that can be run: ${problem}`,
          },
        ],
  );
  if (issues.length === 0) return undefined;
  const refused = invalidRequest(issues);
  return { ...refused, metadata: { ...refused.metadata, reason: 'invalid_regex_pattern' } };
}
