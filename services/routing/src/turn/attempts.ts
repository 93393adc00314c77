import { Fault } from '@sluice/errors';
import { isLast, type StreamPart } from '@sluice/inference';
import type { ActiveSpan } from '@sluice/telemetry';
import type { PlannedAttempt } from '../selection/plan.ts';
import { routingText } from '../selection/routing-text.ts';
import type { AttemptWatch } from '../health/attempt-watch.ts';
import type { Beginning } from '../usage/journal/outcome.ts';
import type { Intent } from '../usage/journal/record.ts';
import type { TurnDeps } from './deps.ts';
import { type Failure, faultOfAll, statusOf } from './fault-of-all.ts';
import { forAttempt } from './for-attempt.ts';
import { failedFact, failedGeneration } from './failed-turn.ts';
import type { HeldTurn } from './turn.ts';
import { isRefusal, nextAttempt } from './next-attempt.ts';
import { outputLimitOf } from '../admission/output-limit.ts';
import { beginTrial } from './trial.ts';

type Attempt = Beginning['attempts'][number];

/** An attempt with its first output. No other endpoint is tried after it. */
export interface Started {
  /** The turn with the request that this attempt was sent. */
  readonly turn: HeldTurn;
  readonly watch: AttemptWatch;
  readonly planned: PlannedAttempt;
  readonly intent: Intent;
  readonly span: ActiveSpan | undefined;
  readonly first: readonly StreamPart[];
  readonly rest: AsyncIterator<readonly StreamPart[]>;
  readonly beginning: Beginning;
  /**
   * Resolves when the intent of a whole answer is on disk. Its usage is written before anything waits for that, so that
   * both share a sync. Absent: the intent is on disk.
   */
  readonly durable?: Promise<void>;
}

const attemptsMax = 10;

/**
 * Makes the planned attempts in order until one gives output. The intents of all that were made are on disk when it
 * resolves or throws, but for `durable`. Throws the Fault that the client sees, with the hold released; when the client
 * is gone, nothing is called any more.
 */
export async function firstOutput(deps: TurnDeps, turn: HeldTurn): Promise<Started> {
  const story: Story = { failures: [], attempts: [] };
  try {
    deps.endpoints.retries.began();
    for (
      let next: number | undefined = 0;
      next !== undefined && story.attempts.length < attemptsMax;
      next = after(deps, turn, next, story.failures)
    ) {
      const planned = turn.attempts[next];
      if (!planned) break;
      // A client that left before any output pays nothing.
      if (turn.cancellation.isClientGone) throw new Fault('unavailable');
      const startedMs = performance.now();
      const own = forAttempt(turn, planned);
      const begun = beginTrial(deps, own, planned, {
        number: story.failures.length + 1,
        isLast: next + 1 >= turn.attempts.length,
      });
      const trial = begun instanceof Promise ? await begun : begun;
      if (trial instanceof Fault) {
        note(own, story, { planned, startedMs, fault: trial });
        if (endsRequest(deps, planned, trial)) throw trial;
        continue;
      }
      await trial.mayCall;
      const fair = deps.fairly?.();
      if (fair) await fair;
      let rest: AsyncIterator<readonly StreamPart[]>;
      let first: readonly StreamPart[];
      let waits: boolean;
      try {
        rest = trial.call();
        const { done, value } = await rest.next();
        if (done) throw new Fault('provider_unavailable');
        first = value;
        trial.began();
        waits = isWhole(own, first);
        if (!waits) await trial.mayTell();
      } catch (error) {
        const fault = trial.failed(error);
        note(own, story, { planned, startedMs, fault });
        trial.book(fault, failedBy(turn, story));
        await trial.mayTell();
        continue;
      }
      note(own, story, { planned, startedMs, fault: undefined });
      turn.cancellation.outputBegan();
      const { watch, intent, span } = trial;
      return {
        turn: own,
        watch,
        planned,
        intent,
        span,
        first,
        rest,
        beginning: begunBy(turn, story),
        ...(waits && { durable: trial.durable }),
      };
    }
    throw faultOfAll(story.failures, turn.plan);
  } catch (error) {
    deps.spending.release(turn.held.hold);
    deps.failures.add(() => failedGeneration(deps, turn, story.attempts));
    deps.outcomes.failed(turn.call, () => failedFact(deps, turn, story.attempts));
    throw error;
  }
}

/** Returns true for an answer that is all there, and that nothing looks at or reads before its usage is written. */
function isWhole({ request, outputs }: HeldTurn, first: readonly StreamPart[]): boolean {
  const last = first.at(-1);
  return !request.stream && outputs.length === 0 && last !== undefined && isLast(last);
}

/**
 * Returns true if a credential before the shared endpoints cannot be opened. Otherwise the account would pay for
 * shared endpoints without notice. A fallback credential comes after them.
 */
function endsRequest(
  { metrics, logger }: TurnDeps,
  { credential }: PlannedAttempt,
  fault: Fault,
): boolean {
  if (!credential) return false;
  metrics.gatewayAttempts.add(1, { outcome: fault.code, credential: 'own' });
  if (fault.code !== 'credential_unavailable') return false;
  logger.warn('an own credential cannot be opened', { code: fault.code, error: fault });
  return !credential.isFallback;
}

interface Story {
  readonly failures: Failure[];
  readonly attempts: Attempt[];
}

interface Tried {
  readonly planned: PlannedAttempt;
  readonly startedMs: number;
  /** If undefined, the attempt gave output. */
  readonly fault: Fault | undefined;
}

function note(turn: HeldTurn, story: Story, { planned, startedMs, fault }: Tried): void {
  const { provider } = planned.endpoint.endpoint;
  const errorCode = fault?.code ?? '';
  const isByok = planned.credential !== undefined;
  story.attempts.push({
    provider,
    endpointId: planned.endpoint.id,
    errorCode,
    latencyMs: BigInt(Math.round(performance.now() - startedMs)),
    isByok,
  });
  const limit = outputLimitOf(turn, planned);
  const status = fault && statusOf(fault);
  turn.tried.push({
    turn: turn.number,
    provider,
    model: planned.model.id,
    errorCode,
    status,
    isByok,
    limit,
    ...(turn.attemptReports && { reports: turn.attemptReports }),
  });
  if (fault) story.failures.push({ planned, fault });
}

function begunBy({ startedMs, plan }: HeldTurn, { attempts }: Story): Beginning {
  const latencyMs = Math.round(performance.now() - startedMs);
  return { latencyMs, attempts, routing: routingText(plan) };
}

function failedBy({ plan }: HeldTurn, { attempts }: Story): Beginning {
  return { attempts: [...attempts], routing: routingText(plan) };
}

/** Returns the place of the next attempt after a failure; undefined: there is none, or no retry is left. */
function after(
  { endpoints, metrics }: TurnDeps,
  { attempts, cancellation }: HeldTurn,
  place: number,
  failures: readonly Failure[],
): number | undefined {
  const fault = failures.at(-1)?.fault;
  if (!fault || cancellation.signal.aborted) return undefined;
  const isSecondRefusal = failures.filter((one) => isRefusal(one.fault.code)).length > 1;
  const next = nextAttempt(attempts, place, { fault, isSecondRefusal });
  if (next === undefined) return undefined;
  const isAllowed = endpoints.retries.take();
  metrics.routingRetries.add(1, { outcome: isAllowed ? 'made' : 'refused' });
  return isAllowed ? next : undefined;
}
