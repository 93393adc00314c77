import { invalidRequest, type Issue, type Rejection } from '@sluice/errors';
import type { Policy } from './events.ts';

type Filters = Partial<Pick<Policy, 'builtinFilters' | 'customFilters'>>;

const reason = 'not_available_yet';
const publicNames = {
  builtinFilters: 'content_filter_builtins',
  customFilters: 'content_filters',
} as const;

/**
 * Rejects a policy with content filters: routing does not apply them yet, and a control that does
 * nothing must not look as if it did. Returns undefined for a policy without one.
 */
export function rejectFilters(policy: Filters): Rejection<'invalid_request'> | undefined {
  const issues = (['builtinFilters', 'customFilters'] as const).flatMap((filters): Issue[] =>
    (policy[filters]?.length ?? 0) > 0
      ? [{ path: publicNames[filters], message: 'not available yet, must be null or empty' }]
      : [],
  );
  if (issues.length === 0) return undefined;
  const rejected = invalidRequest(issues);
  return { ...rejected, metadata: { ...rejected.metadata, reason } };
}

/** True for a rejection of `rejectFilters`. */
export function rejectsFilters({ metadata }: Rejection): boolean {
  return metadata?.['reason'] === reason;
}
