import { randomUUID } from 'node:crypto';
import { Fault } from '@sluice/errors';
import type { PublishNoticeOptions } from '../bus.ts';
import { createBackoff, pause } from '../backoff.ts';

export interface NoticePublisherOptions {
  /** Stores the message under the id. Throws bus_unavailable. */
  readonly store: (subject: string, id: string, message: object) => Promise<unknown>;
  /** Makes the stream when the broker has lost it. Throws bus_unavailable. */
  readonly makeStream: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Publishes a notice, and sends it again under the same id until the stream has stored it. */
export type NoticePublisher = (
  subject: string,
  message: object,
  options?: PublishNoticeOptions,
) => Promise<void>;

const pendingMax = 10_000;
const timeoutMsDefault = 600_000;
/** Well below the 5 s within which a revocation counts: a lost message or answer is noticed after this time. */
const attemptMsMax = 700;
const retryMsMin = 20;
const retryMsMax = 500;

export function noticePublisher({
  store,
  makeStream,
  signal,
}: NoticePublisherOptions): NoticePublisher {
  let pending = 0;
  let making: Promise<void> | undefined;
  /** One for all notices that wait. */
  const makeOnce = async () => {
    making ??= makeStream().finally(() => (making = undefined));
    await making;
  };
  const sendUntilStored = async (subject: string, message: object, deadlineMs: number) => {
    const id = randomUUID();
    const backoff = createBackoff(retryMsMin, retryMsMax);
    for (;;) {
      if (await isDoneInTime(store(subject, id, message))) return;
      if (signal.aborted || performance.now() >= deadlineMs) throw new Fault('bus_unavailable');
      await pause(backoff.nextMs(), signal);
      await isDoneInTime(makeOnce());
    }
  };
  return async (subject, message, { timeoutMs = timeoutMsDefault } = {}) => {
    if (pending >= pendingMax) throw new Fault('bus_unavailable');
    pending += 1;
    try {
      await sendUntilStored(subject, message, performance.now() + timeoutMs);
    } finally {
      pending -= 1;
    }
  };
}

/** False: it failed, or it is not done after `attemptMsMax`. Throws what no retry changes. */
async function isDoneInTime(work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), attemptMsMax);
  const done = work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Fault && error.code === 'bus_unavailable') return false;
      throw error;
    },
  );
  done.catch(() => {});
  try {
    return await Promise.race([done, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
