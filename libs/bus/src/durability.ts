import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { json } from 'node:stream/consumers';
import { Fault } from '@sluice/errors';
import type { BusLogger } from './bus.ts';

const askTimeoutMs = 3_000;

/**
 * Asks the broker's monitoring address whether JetStream syncs each write (`sync_interval: always`).
 * The client protocol does not report it, so without the address the result is `unknown`.
 */
export async function assertSynced(
  monitorUrl: string | undefined,
  logger: Pick<BusLogger, 'info'>,
): Promise<'durable' | 'unknown'> {
  if (monitorUrl === undefined) {
    logger.info('without its monitoring address nobody knows if the message bus syncs each write');
    return 'unknown';
  }
  const config = await jetStreamConfig(monitorUrl);
  if (config['sync_always'] === true) return 'durable';
  throw new Fault('bus_unavailable', {
    message:
      'The message bus acknowledges before its data is on disk: set jetstream { sync_interval: always }',
  });
}

async function jetStreamConfig(monitorUrl: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    // The address may have a path of its own, which may be a secret.
    const url = new URL('jsz?config=true', monitorUrl.replace(/\/*$/, '/'));
    const response = await ask(url);
    const answer: unknown = await json(response);
    const config = (answer as { config?: unknown } | null)?.config;
    const { statusCode } = response;
    if (statusCode !== 200 || typeof config !== 'object' || config === null)
      throw new Error(`status ${String(statusCode)} without a JetStream config`);
    return config as Record<string, unknown>;
  } catch (cause) {
    const origin = URL.parse(monitorUrl)?.origin ?? 'which is no URL';
    const message = `The message bus does not answer at its monitoring address ${origin}`;
    throw new Fault('bus_unavailable', { message, cause });
  }
}

/** Without `fetch`, of which a process would keep 2 MB for this one question. */
function ask(url: URL): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const get = url.protocol === 'https:' ? getHttps : getHttp;
  get(url, { signal: AbortSignal.timeout(askTimeoutMs) }, resolve).on('error', reject);
  return promise;
}
