import { Fault } from '@sluice/errors';

const retryAfterSeconds = 2;

/** Returns the Fault of a caller that got no turn: its texts have not been read. */
export function noThreadFree(): Fault {
  return new Fault('overloaded', {
    message: 'Too many texts are being scanned at once. Please try again later.',
    retryAfterSeconds,
  });
}
