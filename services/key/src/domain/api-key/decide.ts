import { invalidRequest, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type {
  ActorType,
  ApiKeyCommand,
  ChangeApiKey,
  DeleteApiKey,
  IssueApiKey,
} from './commands.ts';
import type { ApiKeyEvent, ApiKeyKind, ApiKeySource, LimitReset } from './events.ts';
import { type ApiKey, evolve, initial, type IssuedApiKey } from './state.ts';
import { isApiKeySource, issuesOf, isLimitReset, utcInstant } from './values.ts';

export type ApiKeyRejection = Rejection<
  'invalid_request' | 'not_found' | 'conflict' | 'permission_denied'
>;

function decide(command: ApiKeyCommand, key: ApiKey): readonly ApiKeyEvent[] | ApiKeyRejection {
  switch (command.type) {
    case 'IssueApiKey':
      return issue(command, key);
    case 'ChangeApiKey':
      if (!isOf(command, key)) return notFound;
      return isManagedElsewhere(command, key) ? managedElsewhere : change(command, key);
    case 'DeleteApiKey':
      if (!isOf(command, key)) return notFound;
      return isManagedElsewhere(command, key) ? managedElsewhere : remove(command);
  }
}

export const apiKey: Decider<ApiKeyCommand, ApiKey, ApiKeyEvent, ApiKeyRejection> = {
  category: 'apiKey',
  initial,
  evolve,
  decide,
};

const managedElsewhere: ApiKeyRejection = {
  rejected: 'permission_denied',
  message: 'Keys of connect clients are managed by those clients only',
};
const notFound: ApiKeyRejection = { rejected: 'not_found', message: 'There is no such key' };

/** A key of another account, or one the actor has no say in, is as unknown as one that never was. */
function isOf(command: ChangeApiKey | DeleteApiKey, key: ApiKey): key is IssuedApiKey {
  return (
    key.status === 'issued' &&
    key.accountId === command.accountId &&
    mayAdminister(command.actorType, key.kind)
  );
}

/** A leaked management key must not be able to make or to end another one. */
function mayAdminister(actorType: ActorType, kind: ApiKeyKind): boolean {
  return kind === 'regular' || isPerson(actorType);
}

/** Returns whether the actor is a person, or acts in place of one. */
function isPerson(actorType: ActorType): boolean {
  return actorType === 'user' || actorType === 'system';
}

/** Returns whether the actor may only read the key: a connect client made it. */
function isManagedElsewhere({ actorType }: ChangeApiKey | DeleteApiKey, key: IssuedApiKey) {
  return key.source === 'connect_client' && !isPerson(actorType);
}

function sourceOf({ source, actorType }: IssueApiKey): ApiKeySource {
  if (source !== null && isApiKeySource(source)) return source;
  return isPerson(actorType) ? 'dashboard' : 'api';
}

/** A minted secret cannot collide. A supplied secret can, and its caller gets invalid_request. */
function inUse({ isSupplied }: IssueApiKey): ApiKeyRejection {
  return isSupplied
    ? invalidRequest([{ path: 'external.api_key', message: 'is in use already' }])
    : { rejected: 'conflict', message: 'There is a key of this hash already' };
}

function issue(command: IssueApiKey, key: ApiKey): readonly ApiKeyEvent[] | ApiKeyRejection {
  if (!mayAdminister(command.actorType, command.kind))
    return { rejected: 'permission_denied', message: 'A key cannot issue management keys' };
  const source = sourceOf(command);
  if (source === 'connect_client' && !isPerson(command.actorType)) return managedElsewhere;
  const issues = issuesOf(command, command.occurredAt);
  if (issues.length > 0) return invalidRequest(issues);
  if (key.status !== 'none') return inUse(command);
  const { pepperVersion, hmacSha256 } = command.digest;
  const data = {
    hash: command.hash,
    digest: { pepperVersion, hmacSha256 },
    label: command.label,
    kind: command.kind,
    name: command.name,
    accountId: command.accountId,
    workspaceId: command.workspaceId,
    limitNanoUsd: command.limitNanoUsd?.toString() ?? null,
    limitReset: checkedReset(command.limitReset),
    includeByokInLimit: command.includeByokInLimit,
    expiresAt: command.expiresAt === null ? null : (utcInstant(command.expiresAt) ?? null),
    creatorUserId: command.creatorUserId,
    externalUser: command.externalUser,
    source,
    issuedAt: command.occurredAt,
  };
  return [{ type: 'ApiKeyIssued', data }];
}

/** One fact for each value that becomes another one. */
function change(
  { changes, occurredAt: changedAt }: ChangeApiKey,
  key: IssuedApiKey,
): readonly ApiKeyEvent[] | ApiKeyRejection {
  const issues = issuesOf(changes, changedAt);
  if (issues.length > 0) return invalidRequest(issues);
  const { name, disabled, limitNanoUsd, limitReset, includeByokInLimit } = changes;
  const events: ApiKeyEvent[] = [];
  if (name !== undefined && name !== key.name)
    events.push({ type: 'ApiKeyRenamed', data: { name, changedAt } });
  if (disabled !== undefined && disabled !== key.disabled)
    events.push({ type: disabled ? 'ApiKeyDisabled' : 'ApiKeyEnabled', data: { changedAt } });
  if (limitNanoUsd !== undefined && limitNanoUsd !== key.limitNanoUsd) {
    const amount = limitNanoUsd?.toString() ?? null;
    events.push({ type: 'ApiKeyLimitChanged', data: { limitNanoUsd: amount, changedAt } });
  }
  if (limitReset !== undefined && limitReset !== key.limitReset) {
    const data = { limitReset: checkedReset(limitReset), changedAt };
    events.push({ type: 'ApiKeyLimitResetChanged', data });
  }
  if (includeByokInLimit !== undefined && includeByokInLimit !== key.includeByokInLimit)
    events.push({ type: 'ApiKeyByokInclusionChanged', data: { includeByokInLimit, changedAt } });
  return events;
}

function remove({ occurredAt }: DeleteApiKey): readonly ApiKeyEvent[] {
  return [{ type: 'ApiKeyDeleted', data: { changedAt: occurredAt } }];
}

function checkedReset(limitReset: string | null): LimitReset | null {
  return limitReset !== null && isLimitReset(limitReset) ? limitReset : null;
}
