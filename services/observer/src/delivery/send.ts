import { type Egress, isEgressFailure } from '@sluice/egress';
import type { Destination } from '../domain/destination.ts';
import { judgeStatus } from '../senders/judge-status.ts';
import type { Observed, Sender, SendOutcome, SenderRequest } from '../senders/sender.ts';

/** The end of an attempt to deliver a batch. */
export type Sent = SendOutcome & {
  /** The status of the last answer. Undefined: there was none. */
  readonly httpStatus: number | undefined;
  /** One sentence without a secret. Empty: the batch was delivered. */
  readonly problem: string;
};

export interface Sending {
  readonly sender: Sender;
  readonly destination: Destination;
  readonly batch: readonly Observed[];
  readonly egress: Pick<Egress, 'send'>;
  readonly now: Date;
  readonly signal?: AbortSignal | undefined;
}

/** The time limits of one request, and of all requests of a batch. */
const requestMsMax = 10_000;
const batchMsMax = 20_000;
const answerBytesMax = 65_536;
/** Headers that belong to the connection or to the body, which no destination sets. */
const ours = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Sends a batch, one request after the other, until one of them is not taken. Never rejects. */
export async function send(sending: Sending): Promise<Sent> {
  const { sender, destination, batch, now } = sending;
  let requests: readonly SenderRequest[];
  try {
    requests = await sender.requests(destination, batch, { now });
  } catch {
    const problem = 'The generation cannot be written in the form of the destination';
    return { outcome: 'refused', httpStatus: undefined, problem };
  }
  const late = AbortSignal.timeout(batchMsMax);
  const signal = sending.signal ? AbortSignal.any([sending.signal, late]) : late;
  let httpStatus: number | undefined;
  for (const request of requests) {
    const sent = await exchange({ ...sending, signal }, request);
    if (sent.outcome !== 'delivered') return sent;
    ({ httpStatus } = sent);
  }
  return { outcome: 'delivered', httpStatus, problem: '' };
}

async function exchange(
  { sender, destination, egress, now, signal }: Sending,
  { url, method, headers, body }: SenderRequest,
): Promise<Sent> {
  const own = Object.entries(destination.headers).filter(([name]) => !ours.has(name));
  const reply = await egress.send({
    url,
    method,
    headers: { ...Object.fromEntries(own), ...headers },
    body,
    redirectsMax: 0,
    bytesMax: answerBytesMax,
    timeoutMs: requestMsMax,
    signal,
  });
  // An address that is not allowed may be corrected, like one that does not answer.
  if (isEgressFailure(reply))
    return { outcome: 'retry', httpStatus: undefined, problem: reply.message };
  const judged = sender.judge?.(reply, { now }) ?? judgeStatus(reply, now);
  const { status: httpStatus } = reply;
  const problem =
    judged.outcome === 'delivered'
      ? ''
      : `The destination answered with the status ${String(httpStatus)}`;
  return { ...judged, httpStatus, problem };
}
