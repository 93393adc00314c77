import { Fault } from '@sluice/errors';

/** Returns the Fault of texts that could not be judged. The reason is for logs and has no part of them. */
export function moderationUnavailable(reason: string): Fault {
  return new Fault('moderation_unavailable', { cause: new Error(reason) });
}
