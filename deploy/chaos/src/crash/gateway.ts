import type { Instance } from '@sluice/acceptance/instance';
import type { Answer, ChangeKey, DeleteKey, IssueKey, Outcome } from './command.ts';

const answerTimeoutMs = 15_000;
const requestIdHeader = 'x-request-id';
const nanoPerUsd = 1e9;
/** A service did not answer the gateway in time. It may have carried out the command. */
const timedOut = 408;
const conflict = 409;

/** A command of another service than that of keys. */
export interface MakeWorkspace {
  readonly type: 'MakeWorkspace';
  readonly name: string;
  readonly slug: string;
}

/** The public HTTP API, as an administrator. Never throws: no answer is an answer too. */
export interface Gateway {
  send(command: IssueKey | ChangeKey | DeleteKey | MakeWorkspace): Promise<Answer>;
}

export function gatewayOf({ bootstrap }: Pick<Instance, 'bootstrap'>): Gateway {
  return {
    async send(command) {
      const { method, path, body, headers } = requestOf(command);
      try {
        const response = await fetch(`${bootstrap.base_url}${path}`, {
          method,
          headers: {
            authorization: `Bearer ${bootstrap.management_key}`,
            'content-type': 'application/json',
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(answerTimeoutMs),
        });
        return {
          outcome: outcomeOf(response),
          status: String(response.status),
          requestId: response.headers.get(requestIdHeader) ?? '',
          hash: hashIn(await response.json()),
        };
      } catch {
        return { outcome: 'unknown', status: '', requestId: '', hash: '' };
      }
    },
  };
}

function requestOf(command: IssueKey | ChangeKey | DeleteKey | MakeWorkspace) {
  switch (command.type) {
    case 'IssueKey':
      return {
        method: 'POST',
        path: '/keys',
        body: { name: command.name },
        headers: { 'idempotency-key': command.name },
      };
    case 'ChangeKey': {
      const { hash, name, limitNanoUsd, disabled } = command;
      const limit = limitNanoUsd === undefined ? {} : { limit: Number(limitNanoUsd) / nanoPerUsd };
      const body = { name, ...limit, ...(disabled === undefined ? {} : { disabled }) };
      return { method: 'PATCH', path: `/keys/${hash}`, body };
    }
    case 'MakeWorkspace':
      return {
        method: 'POST',
        path: '/workspaces',
        body: { name: command.name, slug: command.slug },
      };
    case 'DeleteKey':
      return { method: 'DELETE', path: `/keys/${command.hash}` };
  }
}

function outcomeOf({ status, headers }: Pick<Response, 'status' | 'headers'>): Outcome {
  if (status < 300) return 'acknowledged';
  // Under its idempotency key an earlier attempt may still be under way: to be asked again.
  const isUnderWay = status === conflict && headers.has('retry-after');
  return status < 500 && status !== timedOut && !isUnderWay ? 'refused' : 'unknown';
}

/** Returns the hash of the key in the answer, or of the key that an earlier attempt made. */
function hashIn(body: unknown): string {
  const { data, error } = body as {
    readonly data?: { readonly hash?: unknown };
    readonly error?: { readonly metadata?: { readonly hash?: unknown } };
  };
  const hash = data?.hash ?? error?.metadata?.hash;
  return typeof hash === 'string' ? hash : '';
}
