import { type Fault, type Rejection, rejectionToFault } from './fault.ts';

/** One thing that is wrong with an input: where (dots between names), and what should be there. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The business "no" to a malformed input: all its issues together, public as `metadata.issues`. */
export function invalidRequest(issues: readonly Issue[]): Rejection<'invalid_request'> {
  const message = issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ');
  return { rejected: 'invalid_request', message, metadata: { issues } };
}

/** The same as an error, for one thing that is wrong. */
export function invalidValue(path: string, message: string): Fault {
  return rejectionToFault(invalidRequest([{ path, message }]));
}
