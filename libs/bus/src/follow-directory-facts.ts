import { createBackoff, pause } from './backoff.ts';
import type { Bus, BusLogger, BusMessage } from './bus.ts';
import { directoryStream } from './subjects.ts';

export interface DirectoryFollower {
  readonly bus: Pick<Bus, 'consume' | 'ensureStream'>;
  readonly logger: Pick<BusLogger, 'warn' | 'error'>;
  readonly signal: AbortSignal;
}

/** One kind of fact. */
export interface FollowedFact {
  readonly durable: string;
  readonly filter: string;
  /** Resolves when all that follows from the fact is in the log. Throws MalformedFact for a message that is no fact. */
  readonly handle: (data: object) => Promise<void>;
}

/** A message that is no fact of ours. */
export class MalformedFact extends Error {
  override readonly name = 'MalformedFact';
}

/** Throws MalformedFact if the members of a fact are not as they must be. */
export function requireWellFormed(isWellFormed: boolean): void {
  if (!isWellFormed) throw new MalformedFact('a member of the fact is missing or malformed');
}

const batchMax = 50;
const retryMsMin = 50;
const retryMsMax = 5_000;

/**
 * Follows facts of accounts, members, workspaces and keys until the signal aborts. A fact is acknowledged when it is
 * handled, and comes again when its handler throws. A malformed one is logged and skipped: a redelivery would not
 * change it.
 */
export async function followDirectoryFacts(
  follower: DirectoryFollower,
  facts: readonly FollowedFact[],
): Promise<void> {
  const { bus, signal } = follower;
  await ensureDirectory(follower);
  await Promise.all(
    facts.map(({ handle, ...named }) =>
      bus.consume({
        ...named,
        stream: directoryStream.name,
        batchMax,
        signal,
        async handle(messages: readonly BusMessage[]) {
          for (const message of messages) await handleOne(follower, message, handle);
        },
      }),
    ),
  );
}

async function ensureDirectory({ bus, logger, signal }: DirectoryFollower): Promise<void> {
  const backoff = createBackoff(retryMsMin, retryMsMax);
  while (!signal.aborted)
    try {
      return await bus.ensureStream(directoryStream);
    } catch (error) {
      logger.warn('the facts of the directory are not followed yet', { error });
      await pause(backoff.nextMs(), signal);
    }
}

async function handleOne(
  { logger }: DirectoryFollower,
  { data, subject }: BusMessage,
  handle: FollowedFact['handle'],
): Promise<void> {
  try {
    requireWellFormed(typeof data === 'object' && data !== null);
    await handle(data as object);
  } catch (error) {
    if (!(error instanceof MalformedFact)) throw error;
    logger.error('a fact of the directory cannot be read', { stream: subject, error });
  }
}
