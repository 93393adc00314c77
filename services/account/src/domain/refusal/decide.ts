import { invalidRequest, type Issue, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type { RefusalEvent } from './events.ts';

export interface RecordRefusal {
  readonly type: 'RecordRefusal';
  readonly accountId: string;
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly status: number;
  readonly reason: string;
  readonly leftOut: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

/** Counts the refusals only: no refusal influences another one. */
export interface Refusals {
  readonly count: number;
}

const actionPattern = /^[a-z_]{1,64}\.[a-z_]{1,64}$/;
const codePattern = /^[a-z_]{1,64}$/;
const resourceIdLengthMax = 256;
const unwritable = /[\p{Cc}\p{Cs}]/gu;

function decide(command: RecordRefusal): readonly RefusalEvent[] | Rejection<'invalid_request'> {
  const { accountId, action, resourceType, resourceId, status, reason, leftOut } = command;
  const issues: Issue[] = [];
  const require = (valid: boolean, path: string, message: string) => {
    if (!valid) issues.push({ path, message });
  };
  require(actionPattern.test(action), 'action', 'must be resource.verb');
  require(codePattern.test(resourceType), 'resource_type', 'must be a word');
  require(codePattern.test(reason), 'reason', 'must be a code');
  require(status >= 400 && status <= 599, 'status', 'must be 400 to 599');
  if (issues.length > 0) return invalidRequest(issues);
  const id = resourceId.slice(0, resourceIdLengthMax).replaceAll(unwritable, '\u{FFFD}');
  const resource = { type: resourceType, id };
  const said = { accountId, action, resource, status, reason, leftOut };
  return [{ type: 'CommandRefused', data: { ...said, refusedAt: command.occurredAt } }];
}

export const refusal: Decider<
  RecordRefusal,
  Refusals,
  RefusalEvent,
  Rejection<'invalid_request'>
> = {
  category: 'audit',
  initial: { count: 0 },
  evolve: ({ count }) => ({ count: count + 1 }),
  decide,
};
