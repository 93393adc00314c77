import type { Rejection } from '@sluice/errors';

/** Refuses a request because of one of its files. */
export function refusedFile(path: string, message: string): Rejection {
  return {
    rejected: 'invalid_request',
    message: `Invalid request: ${path}: ${message}`,
    metadata: { issues: [{ path, message }] },
  };
}
