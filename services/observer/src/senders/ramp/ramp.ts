import { batchId } from '../batch-id.ts';
import type { Sender } from '../sender.ts';
import { setting } from '../setting.ts';
import { generationsBody } from '../views/generation-view.ts';

/**
 * Posts generations to the base URL, which the account gives in full: there is no public interface to follow. The body
 * is that of a webhook, with a bearer token, and with an idempotency key of the batch.
 */
export const ramp: Sender = {
  batchMax: 100,
  requests(destination, batch) {
    const { shows } = destination;
    const request = {
      url: setting(destination, 'baseUrl'),
      method: 'POST' as const,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${setting(destination, 'apiKey')}`,
        'idempotency-key': batchId(batch, 'ramp'),
      },
      body: generationsBody(batch, shows),
    };
    return Promise.resolve([request]);
  },
};
