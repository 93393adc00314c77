import { Fault, requireAccepted } from '@sluice/errors';
import type { KeyManagement } from '@sluice/envelope';
import type { Position } from '@sluice/es';
import type { Shown } from '@sluice/read-model';
import type { ReceivedContext } from '@sluice/rpc';
import type { Secret } from '@sluice/boot';
import type { IssueApiKey } from '../domain/api-key/commands.ts';
import { apiKey } from '../domain/api-key/decide.ts';
import type { ApiKey, IssuedApiKey } from '../domain/api-key/state.ts';
import type { ApiKeyHandler } from '../store/api-key-events.ts';
import type { Closings } from '../store/closings.ts';
import type { IssueAttempts } from '../store/issue-attempts.ts';
import type { Directory } from './directory.ts';
import { assertStillMember, findCreator } from './find-creator.ts';
import { assertStillThere, findWorkspace } from './find-workspace.ts';
import { keyDigest, type Peppers } from './key-digest.ts';
import { openKeptSecret, sealKeptSecret } from './kept-secret.ts';
import { type KeySecret, mintKeySecret, suppliedKeySecret } from './key-secret.ts';
import { untilNotClosing } from './until-not-closing.ts';

export interface IssueApiKeyDependencies {
  readonly handle: ApiKeyHandler;
  readonly directory: Directory;
  readonly peppers: Peppers;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly attempts: IssueAttempts;
  readonly closings: Pick<Closings, 'isOpen'>;
  /** Seals the secrets that are kept. */
  readonly keyManagement: KeyManagement;
  /** The key as it is in the log now. */
  readonly loadKey: (hash: string) => Promise<ApiKey>;
  /** Waits until a count of keys has what is at the position. */
  readonly shown: { readonly keys: Shown };
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
  | 'externalUser'
  | 'source'
> & {
  /** The secret that the caller brings along; null: one is minted. */
  readonly suppliedSecret: Secret | null;
  /** The command may be sent again: its secret is kept until it was delivered or 10 minutes are over. */
  readonly keepSecret: boolean;
};

export interface IssuedKey {
  readonly state: IssuedApiKey;
  readonly position: Position | undefined;
  /** The whole key, this once: it is stored nowhere. Empty when the caller supplied it. */
  readonly secret: string;
}

const openSecretsMax = 1_000;
/** Longer than any append is tried for: an attempt this old writes nothing any more. */
const attemptMsMax = 30_000;
const retryAfterSeconds = 5;

/**
 * Mints the secret and issues the key. A command issues one key, however often it is sent: it shares
 * the attempt that still runs here, and goes on with the same secret after a failure. While its secret is kept,
 * it is answered again, by any process. Afterwards it is a conflict that names the key. Where a secret was not
 * kept and the process of its attempt has died, another attempt begins when the first can write nothing any
 * more, after 30 s; until then the command is unavailable.
 */
export function issueApiKey(dependencies: IssueApiKeyDependencies) {
  const running = new Map<string, Promise<IssuedKey>>();
  /** The secrets of attempts with an unknown outcome, in memory only. */
  const openSecrets = new Map<string, KeySecret>();

  async function attempt(id: string, wanted: WantedApiKey, context: ReceivedContext) {
    const secret = openSecrets.get(id) ?? secretOf(wanted, dependencies);
    openSecrets.set(id, secret);
    dropOldest(openSecrets);
    try {
      const issued = await issue(dependencies, wanted, context, secret);
      openSecrets.delete(id);
      return issued;
    } catch (error) {
      const settled = error instanceof Fault && !error.retryable;
      if (settled) openSecrets.delete(id);
      throw error;
    } finally {
      running.delete(id);
    }
  }

  return (wanted: WantedApiKey, context: ReceivedContext): Promise<IssuedKey> => {
    const id = `${context.accountId}/${context.commandId}`;
    const existing = running.get(id);
    if (existing) return existing;
    const issuing = attempt(id, wanted, context);
    running.set(id, issuing);
    return issuing;
  };
}

function dropOldest(secrets: Map<string, KeySecret>): void {
  const [oldest] = secrets.keys();
  if (secrets.size > openSecretsMax && oldest !== undefined) secrets.delete(oldest);
}

function secretOf(
  { kind, suppliedSecret }: WantedApiKey,
  { randomBytes }: IssueApiKeyDependencies,
): KeySecret {
  return suppliedSecret === null
    ? mintKeySecret(kind, randomBytes)
    : suppliedKeySecret(kind, suppliedSecret);
}

async function issue(
  dependencies: IssueApiKeyDependencies,
  { suppliedSecret: _secret, keepSecret, ...wanted }: WantedApiKey,
  context: ReceivedContext,
  minted: KeySecret,
): Promise<IssuedKey> {
  const { handle, peppers } = dependencies;
  const { accountId, occurredAt } = context;
  const withSecret = ({ secret, hash, label, isSupplied }: KeySecret): IssueApiKey => ({
    type: 'IssueApiKey',
    actorType: context.actor.type,
    ...wanted,
    hash,
    digest: keyDigest(peppers, secret),
    label,
    isSupplied,
    accountId,
    occurredAt,
  });
  // Values that would be refused are refused before another service is asked.
  const workspaceId = wanted.workspaceId || nilUuid;
  requireAccepted(apiKey.decide({ ...withSecret(minted), workspaceId }, apiKey.initial));
  const place = await placeOf(dependencies, wanted, accountId);
  const claimed = await claim(dependencies, context, minted, keepSecret);
  const { hash, secret, isSupplied } = claimed;
  const handled = requireAccepted(
    await handle(hash, { ...withSecret(claimed), ...place }, context),
  );
  const { state, position } = handled;
  if (state.status !== 'issued') throw issuedBefore(hash);
  if (wanted.kind === 'regular') {
    await dependencies.shown.keys(position, context.signal);
    await assertPlaceStays(dependencies, context, { ...place, named: wanted.workspaceId });
  }
  return { state, position, secret: isSupplied ? '' : secret };
}

/**
 * A workspace with keys is not deleted, and no user with keys leaves it. The look comes once a count has the key. A
 * deletion that began before is waited for, so that the log has it; one that begins later counts the key.
 */
async function assertPlaceStays(
  { directory, closings }: IssueApiKeyDependencies,
  { accountId, signal }: ReceivedContext,
  place: {
    readonly named: string;
    readonly workspaceId: string;
    readonly creatorUserId: string | null;
  },
): Promise<void> {
  const { workspaceId, creatorUserId } = place;
  await untilNotClosing(closings, { accountId, workspaceId, creatorUserId }, signal);
  await assertStillThere(directory, accountId, place);
  await assertStillMember(directory, { accountId, workspaceId, userId: creatorUserId });
}

const nilUuid = '00000000-0000-0000-0000-000000000000';

/** A management key is of the account: it has a workspace in name only, which may be gone. */
async function placeOf(
  { directory }: IssueApiKeyDependencies,
  {
    kind,
    workspaceId: named,
    creatorUserId: userId,
  }: Omit<WantedApiKey, 'suppliedSecret' | 'keepSecret'>,
  accountId: string,
) {
  const isManagement = kind === 'management';
  const workspaceId =
    isManagement && named === ''
      ? (await directory.account(accountId)).defaultWorkspaceId
      : await findWorkspace(directory, accountId, named);
  const scope = isManagement ? undefined : workspaceId;
  const wanted = { accountId, workspaceId: scope, userId };
  return { workspaceId, creatorUserId: await findCreator(directory, wanted) };
}

/** The secret by which alone a key may be issued for the command: the minted one, or the one that was kept. */
async function claim(
  { attempts, loadKey, keyManagement }: IssueApiKeyDependencies,
  { accountId, commandId }: ReceivedContext,
  minted: KeySecret,
  keepSecret: boolean,
): Promise<KeySecret> {
  const command = { accountId, commandId };
  const isKept = keepSecret && !minted.isSupplied;
  const sealed = isKept ? await sealKeptSecret(keyManagement, command, minted) : null;
  const attempt = { ...command, hash: minted.hash, sealed };
  const noted = await attempts.note(attempt);
  if (noted.hash === attempt.hash) return minted;
  const kept = await openKeptSecret(keyManagement, command, noted);
  if (kept) return kept;
  const earlier = await loadKey(noted.hash);
  if (earlier.status !== 'none') throw issuedBefore(noted.hash);
  const isOver = noted.ageMs > attemptMsMax;
  if (isOver && (await attempts.replace(attempt, noted.hash))) return minted;
  throw new Fault('unavailable', {
    message: 'An earlier attempt of this command may still be under way',
    retryAfterSeconds,
  });
}

function issuedBefore(hash: string): Fault {
  return new Fault('conflict', {
    message: 'This command has issued a key already; its secret was shown then',
    metadata: { hash },
  });
}
