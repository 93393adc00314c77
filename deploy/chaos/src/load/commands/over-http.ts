import type { Instance } from '@sluice/acceptance/instance';
import { type Answer, reasonOf, type Request, send, textAt } from '../http.ts';
import type { ChangeKey, DeleteKey, IssueKey, Outcome, Reply } from './command.ts';

/** A command of another service than that of keys. */
export interface MakeWorkspace {
  readonly type: 'MakeWorkspace';
  readonly name: string;
  readonly slug: string;
}

export type HttpCommand = IssueKey | ChangeKey | DeleteKey | MakeWorkspace;

const timeoutMs = 15_000;
const nanoPerUsd = 1e9;

/** Sends a command over the public HTTP API as an administrator. */
export async function sendOverHttp(
  instance: Pick<Instance, 'bootstrap'>,
  command: HttpCommand,
): Promise<Reply> {
  const key = instance.bootstrap.management_key;
  const answer = await send(instance, { ...requestOf(command), key, timeoutMs });
  const { status, requestId, json } = answer;
  // The key of the answer, or the one that an earlier attempt made.
  const hash = textAt(json, 'data.hash') || textAt(json, 'error.metadata.hash');
  return {
    outcome: outcomeOf(answer),
    status: status === 0 ? '' : String(status),
    reason: reasonOf(answer),
    requestId,
    hash,
  };
}

function requestOf(command: HttpCommand): Omit<Request, 'key'> {
  switch (command.type) {
    case 'IssueKey': {
      const { name } = command;
      return {
        method: 'POST',
        path: '/v1/keys',
        body: { name },
        headers: { 'idempotency-key': name },
      };
    }
    case 'ChangeKey': {
      const { hash, name, limitNanoUsd, disabled } = command;
      const limit = limitNanoUsd === undefined ? undefined : Number(limitNanoUsd) / nanoPerUsd;
      return { method: 'PATCH', path: `/v1/keys/${hash}`, body: { name, limit, disabled } };
    }
    case 'DeleteKey':
      return { method: 'DELETE', path: `/v1/keys/${command.hash}` };
    case 'MakeWorkspace': {
      const { name, slug } = command;
      return { method: 'POST', path: '/v1/workspaces', body: { name, slug } };
    }
  }
}

function outcomeOf({ status, retryAfter }: Answer): Outcome {
  if (status === 0) return 'unknown';
  if (status < 300) return 'acknowledged';
  // Under its idempotency key an earlier attempt may still be under way. A service that did not answer the gateway
  // in time (408) may have carried the command out. A busy machine limits the rate (429).
  const isUnderWay = status === 409 && retryAfter !== null;
  return status < 500 && status !== 408 && status !== 429 && !isUnderWay ? 'refused' : 'unknown';
}
