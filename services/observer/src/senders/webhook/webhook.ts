import { createHmac } from 'node:crypto';
import type { Destination } from '../../domain/destination.ts';
import { batchId } from '../batch-id.ts';
import type { Sender } from '../sender.ts';
import { generationsBody } from '../views/generation-view.ts';

/**
 * Sends generations as one JSON body, signed as Standard Webhooks says: `webhook-signature` is the HMAC-SHA256 of
 * `<webhook-id>.<webhook-timestamp>.<body>` under the destination's signing secret.
 */
export const webhook: Sender = {
  batchMax: 100,
  async requests(destination, batch, { now }) {
    const { config, shows } = destination;
    const body = generationsBody(batch, shows);
    return [
      {
        url: String(config['url']),
        method: config['method'] === 'PUT' ? 'PUT' : 'POST',
        headers: {
          'content-type': 'application/json',
          ...signatureOf(destination, { id: `msg_${batchId(batch, 'webhook')}`, body, now }),
        },
        body,
      },
    ];
  },
};

interface Signed {
  readonly id: string;
  readonly body: string;
  readonly now: Date;
}

function signatureOf(
  { config }: Destination,
  { id, body, now }: Signed,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const head = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  const secret = config['signingSecret'];
  if (typeof secret !== 'string' || secret === '') return head;
  const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`);
  return { ...head, 'webhook-signature': `v1,${hmac.digest('base64')}` };
}

/** `whsec_` and Base64 are the bytes of a key; any other text is the key itself. */
function keyOf(secret: string): Buffer {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  return encoded === undefined ? Buffer.from(secret) : Buffer.from(encoded, 'base64');
}
