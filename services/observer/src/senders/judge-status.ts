import type { SenderReply, SendOutcome } from './sender.ts';

const retryAfterMsMax = 3_600_000;
/** Answers that the next attempt may change: the destination is busy, or its settings are to be corrected. */
const passing = new Set([401, 402, 403, 404, 408, 409, 421, 423, 425, 429]);

/** Judges an answer by its status. A `Retry-After` is kept, up to one hour. */
export function judgeStatus(
  { status, headers }: Pick<SenderReply, 'status' | 'headers'>,
  now: Date,
): SendOutcome {
  if (status >= 200 && status < 300) return { outcome: 'delivered' };
  if (status < 500 && !passing.has(status)) return { outcome: 'refused' };
  const retryAfterMs = retryAfterOf(headers['retry-after'], now);
  return { outcome: 'retry', ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Reads both forms of the header: seconds, or a date. */
function retryAfterOf(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  const given = /^\d{1,9}$/.test(text.trim())
    ? Number(text) * 1_000
    : Date.parse(text) - now.getTime();
  if (!Number.isFinite(given) || given < 0) return undefined;
  return Math.min(given, retryAfterMsMax);
}
