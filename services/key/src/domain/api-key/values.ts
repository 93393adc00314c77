import { type Issue, nameIssues } from '@sluice/errors';
import { amountNanoUsdMax } from '@sluice/amounts';
import type { ApiKeySource, LimitReset } from './events.ts';

const nameCharactersMax = 200;
const externalUserCharactersMax = 256;
const sources: readonly string[] = ['api', 'dashboard', 'connect_client'] satisfies ApiKeySource[];
const limitResets: readonly string[] = ['daily', 'weekly', 'monthly'] satisfies LimitReset[];
const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const idPattern = /^[A-Za-z0-9_-]{1,128}$/;
const utcPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d{1,9})?Z$/;

export interface Values {
  readonly name?: string | undefined;
  readonly limitNanoUsd?: bigint | null | undefined;
  readonly limitReset?: string | null | undefined;
  readonly workspaceId?: string | undefined;
  readonly creatorUserId?: string | null | undefined;
  readonly expiresAt?: string | null | undefined;
  readonly externalUser?: string | null | undefined;
  readonly source?: string | null | undefined;
}

/** Everything that is wrong with the given values, under their public names; absent ones pass. */
export function issuesOf(values: Values, now: string): readonly Issue[] {
  const { name, limitNanoUsd, limitReset, workspaceId, creatorUserId, expiresAt } = values;
  const { externalUser, source } = values;
  const issues: Issue[] = [];
  const refuse = (path: string, message: string) => issues.push({ path, message });
  if (name !== undefined) issues.push(...nameIssues('name', name, nameCharactersMax));
  if (typeof limitNanoUsd === 'bigint' && (limitNanoUsd < 0n || limitNanoUsd > amountNanoUsdMax))
    refuse('limit', 'must be from 0 to 1000000000 USD, or null for no limit');
  if (typeof limitReset === 'string' && !isLimitReset(limitReset))
    refuse('limit_reset', `must be one of ${limitResets.join(', ')}, or null`);
  if (workspaceId !== undefined && !uuidPattern.test(workspaceId))
    refuse('workspace_id', 'must be a UUID');
  if (typeof creatorUserId === 'string' && !idPattern.test(creatorUserId))
    refuse('creator_user_id', 'must be a user id');
  if (typeof externalUser === 'string')
    issues.push(...nameIssues('external.user', externalUser, externalUserCharactersMax));
  if (typeof source === 'string' && !isApiKeySource(source))
    refuse('source', `must be one of ${sources.join(', ')}`);
  if (typeof expiresAt === 'string') {
    const instant = utcInstant(expiresAt);
    if (instant === undefined)
      refuse(
        'expires_at',
        'must be an ISO 8601 time in UTC with seconds, like 2030-01-31T12:00:00Z',
      );
    else if (instant <= now) refuse('expires_at', 'must be in the future');
  }
  return issues;
}

export function isLimitReset(text: string): text is LimitReset {
  return limitResets.includes(text);
}

export function isApiKeySource(text: string): text is ApiKeySource {
  return sources.includes(text);
}

/** The same instant with milliseconds, comparable as text; undefined when it is no UTC time. */
export function utcInstant(text: string): string | undefined {
  const seconds = utcPattern.exec(text)?.[1];
  const milliseconds = Date.parse(text);
  if (seconds === undefined || Number.isNaN(milliseconds)) return undefined;
  const instant = new Date(milliseconds).toISOString();
  // 30 February would have become 2 March.
  return instant.startsWith(seconds) ? instant : undefined;
}
