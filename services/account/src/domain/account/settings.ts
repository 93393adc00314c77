import { invalidRequest } from '@sluice/errors';
import { type AccountEvent, type Entitlement, entitlements } from './events.ts';
import { type AccountRejection, check } from './rules.ts';
import type { Account } from './state.ts';

interface Change {
  readonly accountId: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly occurredAt: string;
}

export interface ChangeOrganizationSettings extends Change {
  readonly type: 'ChangeOrganizationSettings';
  readonly isFilteredModelCatalogEnabled: boolean;
}

/** Values as they were asked for: nothing of it is checked yet. */
export interface ChangeEntitlement extends Change {
  readonly type: 'ChangeEntitlement';
  readonly entitlement: string;
  readonly isEnabled: boolean;
}

type Decision = readonly AccountEvent[] | AccountRejection;

/** A personal account has no settings: to it they are not found. */
export function changeSettings(command: ChangeOrganizationSettings, account: Account): Decision {
  const { accountId, isFilteredModelCatalogEnabled, occurredAt: changedAt } = command;
  if (account.kind === 'none' || account.opened.kind === 'personal')
    return { rejected: 'not_found', message: 'There is no such organization' };
  if (account.settings.isFilteredModelCatalogEnabled === isFilteredModelCatalogEnabled) return [];
  const data = { accountId, isFilteredModelCatalogEnabled, changedAt };
  return [{ type: 'OrganizationSettingsChanged', data }];
}

export function changeEntitlement(command: ChangeEntitlement, account: Account): Decision {
  const { accountId, entitlement, isEnabled, occurredAt: changedAt } = command;
  const issues = check([
    [isEntitlement(entitlement), 'entitlement', `must be ${entitlements.join(' or ')}`],
  ]);
  if (!isEntitlement(entitlement)) return invalidRequest(issues);
  if (account.kind === 'none')
    return { rejected: 'not_found', message: 'There is no such account' };
  if (account.entitlements.has(entitlement) === isEnabled) return [];
  const data = { accountId, entitlement, isEnabled, changedAt };
  return [{ type: 'EntitlementChanged', data }];
}

function isEntitlement(text: string): text is Entitlement {
  return entitlements.some((known) => known === text);
}
