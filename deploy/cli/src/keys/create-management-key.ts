import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '@sluice/errors';
import { KeyKind, type KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import type { RpcClient } from '@sluice/rpc';
import type { Operator } from '../operator.ts';
import type { CreateManagementKey } from './command.ts';

/** A command of the operator about the keys of an account. */
export interface OfAccount extends Operator<'key'> {
  readonly accountId: string;
  readonly keys: RpcClient<KeyServiceService>;
}

/** Issues a management key and shows its secret. Throws the fault of the service. */
export async function createManagementKey(
  { keyName: name, expiresAt, json }: CreateManagementKey,
  { keys, accountId, output, context: contextOf }: OfAccount,
): Promise<void> {
  const context = contextOf(accountId);
  const { key, secret } = await repeated(() =>
    keys.issueKey({
      ...noLimits,
      context,
      kind,
      name,
      expiresAt: expiresAt || undefined,
      keepSecret: true,
    }),
  );
  const { hash = '', label = '' } = key ?? {};
  if (json) output.line(JSON.stringify({ hash, label, name, expires_at: expiresAt, key: secret }));
  else {
    output.line(
      `Management key ${label} of ${accountId}, until ${expiresAt}. It is shown this once:`,
    );
    output.line(secret);
  }
  // Unconfirmed, the secret is erased after 10 minutes.
  await keys.confirmDelivery({ accountId, commandId: context.commandId }).catch(() => undefined);
}

const kind = KeyKind.KEY_KIND_MANAGEMENT;
const noLimits = {
  workspaceId: '',
  limitNanoUsd: undefined,
  includeByokInLimit: false,
};

const triesMax = 5;
const pauseMs = 1_000;

/** Sends the same command again while its answer may be lost: the key is the same, and so is its secret. */
async function repeated<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      const isOver = tries === triesMax || !(error instanceof Fault) || !error.retryable;
      if (isOver) throw error;
    }
    await delay(pauseMs);
  }
}
