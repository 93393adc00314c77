import { invalidRequest, type Issue, nameIssues, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type { AccountEvent, AccountKind } from './events.ts';
import { type Account, evolve, initial } from './state.ts';

export interface OpenAccount {
  readonly type: 'OpenAccount';
  readonly accountId: string;
  /** undefined: the caller named none. */
  readonly kind: AccountKind | undefined;
  readonly name: string;
  readonly ownerUserId: string;
  readonly defaultWorkspaceId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

export interface GrantCredits {
  readonly type: 'GrantCredits';
  readonly accountId: string;
  readonly grantId: string;
  readonly amountNanoUsd: bigint;
  readonly reason: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

export type AccountCommand = OpenAccount | GrantCredits;
export type AccountRejection = Rejection<'invalid_request' | 'not_found' | 'conflict'>;

const nameCharactersMax = 200;
const reasonLengthMax = 500;
/** A billion USD: an amount above it is a mistake in the unit. */
const amountNanoUsdMax = 1_000_000_000n * 1_000_000_000n;
const idPattern = /^[A-Za-z0-9_-]{1,128}$/;
const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function decide(
  command: AccountCommand,
  state: Account,
): readonly AccountEvent[] | AccountRejection {
  switch (command.type) {
    case 'OpenAccount':
      return open(command, state);
    case 'GrantCredits':
      return grant(command, state);
  }
}

export const account: Decider<AccountCommand, Account, AccountEvent, AccountRejection> = {
  category: 'account',
  initial,
  evolve,
  decide,
};

function open(command: OpenAccount, state: Account): readonly AccountEvent[] | AccountRejection {
  const { accountId, kind, name, ownerUserId, defaultWorkspaceId, occurredAt } = command;
  const issues = [
    ...nameIssues('name', name, nameCharactersMax),
    ...check([
      [kind !== undefined, 'kind', 'must be personal or organization'],
      [idPattern.test(ownerUserId), 'owner_user_id', 'must be an id'],
      [uuidPattern.test(defaultWorkspaceId), 'default_workspace_id', 'must be a UUID'],
    ]),
  ];
  if (kind === undefined || issues.length > 0) return invalidRequest(issues);
  if (state.kind === 'open') {
    const { opened } = state;
    const same =
      opened.kind === kind &&
      opened.name === name &&
      opened.ownerUserId === ownerUserId &&
      opened.defaultWorkspaceId === defaultWorkspaceId;
    return same ? [] : { rejected: 'conflict', message: 'The account exists with other values' };
  }
  const data = { accountId, kind, name, ownerUserId, defaultWorkspaceId, openedAt: occurredAt };
  return [{ type: 'AccountOpened', data }];
}

function grant(
  { accountId, grantId, amountNanoUsd, reason, occurredAt }: GrantCredits,
  state: Account,
): readonly AccountEvent[] | AccountRejection {
  const isAmount = amountNanoUsd > 0n && amountNanoUsd <= amountNanoUsdMax;
  const issues = check([
    [idPattern.test(grantId), 'grant_id', 'must be an id'],
    [isAmount, 'amount_nano_usd', `must be above 0 and at most ${amountNanoUsdMax}`],
    [reason.length <= reasonLengthMax, 'reason', `must have at most ${reasonLengthMax} characters`],
  ]);
  if (issues.length > 0) return invalidRequest(issues);
  if (state.kind === 'none') return { rejected: 'not_found', message: 'There is no such account' };
  const grantedNanoUsd = state.grantsNanoUsd.get(grantId);
  if (grantedNanoUsd === amountNanoUsd) return [];
  if (grantedNanoUsd !== undefined)
    return { rejected: 'conflict', message: 'The grant was made with another amount' };
  const amount = amountNanoUsd.toString();
  const data = { accountId, grantId, amountNanoUsd: amount, reason, grantedAt: occurredAt };
  return [{ type: 'CreditsGranted', data }];
}

function check(
  rules: readonly (readonly [valid: boolean, path: string, message: string])[],
): readonly Issue[] {
  return rules.flatMap(([valid, path, message]) => (valid ? [] : [{ path, message }]));
}
