import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Issue, invalidRequest, type Rejection } from '@sluice/errors';
import { shapeProblem } from './pattern-shape.ts';

/** Returns the problem of each pattern; undefined for a valid one. */
export type CheckPatterns = (
  patterns: readonly string[],
) => Promise<readonly (string | undefined)[]>;

const compileTimeoutMs = 3_500;
const workerMemoryMbMax = 256;

/**
 * Compiles them for the linear-time engine, in a thread of its own: the largest take seconds, in which
 * this one must go on. What takes longer than 3.5 s or too much memory is wrong altogether.
 */
export const checkPatterns: CheckPatterns = async (patterns) => {
  const shapes = patterns.map(shapeProblem);
  const sound = patterns.filter((_pattern, index) => shapes[index] === undefined);
  if (sound.length === 0) return shapes;
  const compiled = await compileAll(sound);
  const next = compiled?.values();
  return shapes.map((problem) =>
    problem !== undefined ? problem : next ? (next.next().value ?? undefined) : 'takes too long',
  );
};

/** undefined: they could not be compiled in time. */
async function compileAll(
  patterns: readonly string[],
): Promise<readonly (string | null)[] | undefined> {
  const worker = new Worker(new URL('pattern-worker.ts', import.meta.url), {
    workerData: patterns,
    resourceLimits: { maxOldGenerationSizeMb: workerMemoryMbMax },
  });
  try {
    const answered = once(worker, 'message');
    // It may fail while it is waited for to be online.
    answered.catch(() => undefined);
    await once(worker, 'online');
    const late = AbortSignal.timeout(compileTimeoutMs);
    const aborted = new Promise<undefined>((resolve) => {
      late.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    const [problems] = (await Promise.race([answered, aborted])) ?? [];
    return problems as readonly (string | null)[] | undefined;
  } catch {
    // Out of memory.
    return undefined;
  } finally {
    await worker.terminate();
  }
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
