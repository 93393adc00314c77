import { maskApiKey, mintApiKey, inspectApiKey } from '@sluice/api-key';
import { ok } from 'node:assert/strict';
import { Fault, invalidRequest, isRejection, rejectionToFault } from '@sluice/errors';
import type { Position } from '@sluice/es';
import type { ReceivedContext } from '@sluice/rpc';
import type { IssueApiKey } from '../domain/api-key/commands.ts';
import { apiKey } from '../domain/api-key/decide.ts';
import type { ApiKey } from '../domain/api-key/state.ts';
import type { ApiKeyHandler } from '../store/api-key-handler.ts';
import { keyDigest, type Peppers } from './key-digest.ts';

/** What the key service must know about accounts and workspaces, which others own. */
export interface Directory {
  /** Throws Fault not_found when there is no such account. */
  defaultWorkspaceId(accountId: string): Promise<string>;
  workspaceExists(accountId: string, workspaceId: string): Promise<boolean>;
}

export interface IssueApiKeyDependencies {
  readonly handle: ApiKeyHandler;
  readonly directory: Directory;
  readonly peppers: Peppers;
  readonly randomBytes: (size: number) => Uint8Array;
  /** The hash of the key that a command has issued, as far as the read model knows. */
  readonly issuedBy: (accountId: string, commandId: string) => Promise<string | undefined>;
}

/** An empty workspace id means the default workspace of the account. */
export type WantedApiKey = Pick<
  IssueApiKey,
  | 'kind'
  | 'name'
  | 'workspaceId'
  | 'limitNanoUsd'
  | 'limitReset'
  | 'includeByokInLimit'
  | 'expiresAt'
  | 'creatorUserId'
>;

export interface IssuedKey {
  readonly state: ApiKey;
  readonly position: Position | undefined;
  /** The whole key, this once: it is stored nowhere. */
  readonly secret: string;
}

/** Commands that are remembered for as long as the read model may not know their keys. */
const rememberedMax = 10_000;

/**
 * Mints the secret and issues the key. The secret is random in each attempt, so a repeated command
 * cannot be answered again: it shares the attempt that still runs here, and is a conflict afterwards.
 * Two attempts in two processes, before the read model has the first key, make two keys.
 */
export function issueApiKey(dependencies: IssueApiKeyDependencies) {
  const running = new Map<string, Promise<IssuedKey>>();
  /** Command → hash of its key, oldest first. */
  const remembered = new Map<string, string>();
  const remember = (attempt: string, { state }: IssuedKey) => {
    if (state.status === 'issued') remembered.set(attempt, state.hash);
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size > rememberedMax) remembered.delete(oldest);
  };
  return async (wanted: WantedApiKey, context: ReceivedContext): Promise<IssuedKey> => {
    const { accountId, commandId } = context;
    const attempt = `${accountId}/${commandId}`;
    const existing = running.get(attempt);
    if (existing) return await existing;
    const issuedBy: IssueApiKeyDependencies['issuedBy'] = async () =>
      remembered.get(attempt) ?? (await dependencies.issuedBy(accountId, commandId));
    const issuing = issue({ ...dependencies, issuedBy }, wanted, context);
    running.set(attempt, issuing);
    try {
      const issued = await issuing;
      remember(attempt, issued);
      return issued;
    } finally {
      running.delete(attempt);
    }
  };
}

async function issue(
  { handle, directory, peppers, randomBytes, issuedBy }: IssueApiKeyDependencies,
  wanted: WantedApiKey,
  context: ReceivedContext,
): Promise<IssuedKey> {
  const { accountId, commandId, occurredAt } = context;
  const hashBefore = await issuedBy(accountId, commandId);
  if (hashBefore !== undefined)
    throw new Fault('conflict', {
      message: 'This command has issued a key already; its secret was shown then',
      metadata: { hash: hashBefore },
    });
  const workspaceId = wanted.workspaceId || (await directory.defaultWorkspaceId(accountId));
  const secret = mintApiKey(wanted.kind, randomBytes);
  const inspected = inspectApiKey(secret);
  ok(inspected, 'a minted key is well-formed');
  const command: IssueApiKey = {
    type: 'IssueApiKey',
    actorType: context.actor.type,
    ...wanted,
    hash: inspected.hash,
    digest: keyDigest(peppers, secret),
    label: maskApiKey(secret),
    accountId,
    workspaceId,
    occurredAt,
  };
  // Values that would be refused are refused before another service is asked.
  const refused = apiKey.decide(command, apiKey.initial);
  if (isRejection(refused)) throw rejectionToFault(refused);
  if (wanted.workspaceId !== '' && !(await directory.workspaceExists(accountId, workspaceId)))
    throw rejectionToFault(
      invalidRequest([{ path: 'workspace_id', message: 'there is no such workspace' }]),
    );
  const handled = await handle(inspected.hash, command, context);
  if (isRejection(handled)) throw rejectionToFault(handled);
  return { state: handled.state, position: handled.position, secret };
}
