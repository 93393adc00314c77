import type { Issue, Rejection } from '@sluice/errors';

export type AccountRejection = Rejection<'invalid_request' | 'not_found' | 'conflict'>;

/** Matches the ids of accounts, users, grants, purchases and refunds. */
export const idPattern = /^[A-Za-z0-9_-]{1,128}$/;

/** The issues of the rules that do not hold. */
export function check(
  rules: readonly (readonly [valid: boolean, path: string, message: string])[],
): readonly Issue[] {
  return rules.flatMap(([valid, path, message]) => (valid ? [] : [{ path, message }]));
}
