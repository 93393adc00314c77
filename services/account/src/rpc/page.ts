import { invalidRequest, type Issue, rejectionToFault } from '@sluice/errors';

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

const limitMax = 100;
const offsetMax = 999_999_999;

/** The page that was asked for. Throws invalid_request with all issues. */
export function pageOf({ offset, limit }: Page): Page {
  const issues: Issue[] = [];
  if (offset < 0 || offset > offsetMax)
    issues.push({ path: 'offset', message: `must be 0 to ${offsetMax}` });
  if (limit < 1 || limit > limitMax)
    issues.push({ path: 'limit', message: `must be 1 to ${limitMax}` });
  if (issues.length > 0) throw rejectionToFault(invalidRequest(issues));
  return { offset, limit };
}
