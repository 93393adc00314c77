import { Fault } from '@sluice/errors';

const canceled = '57014';

/** Throws timeout for a statement that PostgreSQL has canceled, and any other error as it is. */
export function timedOut(error: unknown): never {
  const cause = error instanceof Fault ? (error.cause as { readonly code?: unknown }) : undefined;
  if (cause?.code !== canceled) throw error;
  throw new Fault('timeout', {
    message: 'The query took too long and was canceled. Ask for a shorter time_range or fewer rows',
    cause: error,
  });
}
