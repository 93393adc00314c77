import { invalidValue, isRejection, type Rejection } from '@sluice/errors';
import { comparePositions, type Handled, type Position } from '@sluice/es';
import type { ReceivedContext } from '@sluice/rpc';
import { derivedId } from '@sluice/clock-and-ids';

const assigneesMax = 100;
const parallelMax = 20;

/** Each once. Throws invalid_request for none and for more than 100. */
export function distinct(path: string, assignees: readonly string[]): readonly string[] {
  if (assignees.length > 0 && assignees.length <= assigneesMax) return [...new Set(assignees)];
  const message = `must have 1 to ${assigneesMax} entries`;
  throw invalidValue(path, message);
}

/** The same for each assignee whenever the call is sent again. */
export function of(context: ReceivedContext, assignee: string): ReceivedContext {
  return { ...context, commandId: derivedId('assignee', context.commandId, assignee) };
}

/** The outcome for one assignee. A rejected one has gone meanwhile, which is as good as later. */
export type Outcome = Handled<unknown, unknown> | Rejection;

/** Some at a time; all of them, unless one fails. */
export async function forEach<T>(
  assignees: readonly T[],
  handle: (assignee: T) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let from = 0; from < assignees.length; from += parallelMax)
    outcomes.push(...(await Promise.all(assignees.slice(from, from + parallelMax).map(handle))));
  return outcomes;
}

/** Counts the assignees that the call changed, now or when it was sent before. */
export function changedOf(outcomes: readonly Outcome[]): number {
  return outcomes.filter(
    (outcome) => !isRejection(outcome) && (outcome.events.length > 0 || outcome.handledBefore),
  ).length;
}

/** Returns the position that the read model must reach for a list to show all outcomes. */
export function lastOf(outcomes: readonly Outcome[]): Position | undefined {
  return outcomes
    .map((outcome) => (isRejection(outcome) ? undefined : outcome.position))
    .filter((position) => position !== undefined)
    .toSorted(comparePositions)
    .at(-1);
}
