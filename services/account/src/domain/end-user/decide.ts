import { invalidRequest, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type { EndUserEvent } from './events.ts';
import { type EndUser, evolve, initial, type RegisteredEndUser } from './state.ts';

interface EndUserCommandBase {
  readonly accountId: string;
  /** The name that the organization passes on, byte for byte. It is not checked yet. */
  readonly user: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

export interface RegisterEndUser extends EndUserCommandBase {
  readonly type: 'RegisterEndUser';
}

/** Is a change also where it was so: the time of the last word moves. */
export interface SetEndUserActive extends EndUserCommandBase {
  readonly type: 'SetEndUserActive';
  readonly isActive: boolean;
}

/** Deactivates the end user. Repeating it changes nothing. */
export interface DeactivateEndUser extends EndUserCommandBase {
  readonly type: 'DeactivateEndUser';
}

export type EndUserCommand = RegisterEndUser | SetEndUserActive | DeactivateEndUser;
export type EndUserRejection = Rejection<'invalid_request' | 'not_found' | 'conflict'>;
type Decision = readonly EndUserEvent[] | EndUserRejection;

const userCharactersMax = 256;
const unwritable = /[\p{Cc}\p{Cs}]/u;

function decide(command: EndUserCommand, endUser: EndUser): Decision {
  if (command.type === 'RegisterEndUser') return register(command, endUser);
  if (endUser.status === 'none')
    return { rejected: 'not_found', message: 'There is no such end user' };
  switch (command.type) {
    case 'SetEndUserActive':
      return setActive(command, endUser);
    case 'DeactivateEndUser':
      return endUser.isActive ? setActive({ ...command, isActive: false }, endUser) : [];
  }
}

export const endUser: Decider<EndUserCommand, EndUser, EndUserEvent, EndUserRejection> = {
  category: 'endUser',
  initial,
  evolve,
  decide,
};

function register({ accountId, user, occurredAt }: RegisterEndUser, endUser: EndUser): Decision {
  const problem = problemOf(user);
  if (problem !== undefined) return invalidRequest([{ path: 'user', message: problem }]);
  if (endUser.status === 'registered')
    return { rejected: 'conflict', message: 'This end user is registered already' };
  return [{ type: 'EndUserRegistered', data: { accountId, user, registeredAt: occurredAt } }];
}

function setActive(
  { isActive, occurredAt: changedAt }: { readonly isActive: boolean; readonly occurredAt: string },
  { accountId, user }: RegisteredEndUser,
): Decision {
  const type = isActive ? 'EndUserReactivated' : 'EndUserDeactivated';
  return [{ type, data: { accountId, user, changedAt } }];
}

function problemOf(user: string): string | undefined {
  // No character has more than two UTF-16 units: a text that is far too long is not counted.
  const isTooLong =
    user.length > 2 * userCharactersMax || Array.from(user).length > userCharactersMax;
  if (user === '' || isTooLong) return `must have 1 to ${userCharactersMax} characters`;
  return unwritable.test(user) ? 'must not have control characters' : undefined;
}
