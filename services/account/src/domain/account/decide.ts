import { invalidRequest, nameIssues } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import { type CreditsCommand, grant, purchase, refund } from './credits.ts';
import type { AccountEvent, AccountKind } from './events.ts';
import { type AccountRejection, check, idPattern } from './rules.ts';
import { isEmail } from '../member/values.ts';
import {
  changeEntitlement,
  type ChangeEntitlement,
  changeSettings,
  type ChangeOrganizationSettings,
} from './settings.ts';
import { type Account, evolve, initial } from './state.ts';

export interface OpenAccount {
  readonly type: 'OpenAccount';
  readonly accountId: string;
  /** If undefined, the caller named no kind. */
  readonly kind: AccountKind | undefined;
  readonly name: string;
  readonly ownerUserId: string;
  /** null: the caller gave none. */
  readonly ownerEmail: string | null;
  readonly defaultWorkspaceId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

export type AccountCommand =
  | OpenAccount
  | CreditsCommand
  | ChangeOrganizationSettings
  | ChangeEntitlement;

const nameCharactersMax = 200;
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
    case 'PurchaseCredits':
      return purchase(command, state);
    case 'RefundCredits':
      return refund(command, state);
    case 'ChangeOrganizationSettings':
      return changeSettings(command, state);
    case 'ChangeEntitlement':
      return changeEntitlement(command, state);
  }
}

export const account: Decider<AccountCommand, Account, AccountEvent, AccountRejection> = {
  category: 'account',
  initial,
  evolve,
  decide,
};

function open(command: OpenAccount, state: Account): readonly AccountEvent[] | AccountRejection {
  const { accountId, kind, name, ownerUserId, ownerEmail, defaultWorkspaceId, occurredAt } =
    command;
  const issues = [
    ...nameIssues('name', name, nameCharactersMax),
    ...check([
      [kind !== undefined, 'kind', 'must be personal or organization'],
      [idPattern.test(ownerUserId), 'owner_user_id', 'must be an id'],
      [ownerEmail === null || isEmail(ownerEmail), 'owner_email', 'must be an email address'],
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
      opened.ownerEmail === ownerEmail &&
      opened.defaultWorkspaceId === defaultWorkspaceId;
    return same ? [] : { rejected: 'conflict', message: 'The account exists with other values' };
  }
  const owner = { ownerUserId, ownerEmail };
  const data = { accountId, kind, name, ...owner, defaultWorkspaceId, openedAt: occurredAt };
  return [{ type: 'AccountOpened', data }];
}
