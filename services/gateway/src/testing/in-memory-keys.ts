import { randomBytes } from 'node:crypto';
import { inspectApiKey, maskApiKey, mintApiKey } from '@sluice/api-key';
import { Fault, invalidRequest, rejectionToFault } from '@sluice/errors';
import { KeyKind, type Key } from '@sluice/protos/sluice/key/v1/key';
import type { Clock } from '@sluice/clock-and-ids';
import type { KeyCalls } from '../clients/calls.ts';

/** The key service's calls over a map: tenants, idempotency and kinds as in the real one. */
export interface InMemoryKeys {
  readonly calls: KeyCalls;
  /** Puts a key there, as if it had been issued before. */
  add(key: Partial<Key> & { readonly accountId: string }): { key: Key; secret: string };
  readonly resolved: () => number;
  /** Number of secrets that are kept for commands that may be sent again. */
  readonly keptSecrets: () => number;
}

const createdAt = '2026-11-01T00:00:00.000Z';
const pageSize = 100;

export function inMemoryKeys(
  workspaces: Readonly<Record<string, readonly string[]>>,
  clock: Clock,
): InMemoryKeys {
  const keys = new Map<string, Key>();
  const issuedBy = new Map<string, string>();
  const keptSecrets = new Map<string, string>();
  let resolved = 0;

  const add: InMemoryKeys['add'] = (given) => {
    const kind = given.kind ?? KeyKind.KEY_KIND_REGULAR;
    const management = kind === KeyKind.KEY_KIND_MANAGEMENT;
    const secret = mintApiKey(management ? 'management' : 'regular', randomBytes);
    const key: Key = {
      kind,
      label: maskApiKey(secret),
      name: 'a key',
      disabled: false,
      workspaceId: management ? '' : (workspaces[given.accountId]?.[0] ?? ''),
      includeByokInLimit: false,
      createdAt,
      updatedAt: '',
      source: 'api',
      ...given,
      hash: inspectApiKey(secret)?.hash ?? '',
    };
    keys.set(key.hash, key);
    return { key, secret };
  };
  const own = (accountId: string, hash: string): Key => {
    const key = keys.get(hash);
    if (key?.accountId !== accountId) throw new Fault('not_found');
    return key;
  };
  const workspaceOf = (accountId: string, asked: string): string => {
    const known = workspaces[accountId] ?? [];
    const workspaceId = asked === '' ? known[0] : asked;
    if (workspaceId === undefined || !known.includes(workspaceId))
      throw refused('workspace_id', 'there is no such workspace');
    return workspaceId;
  };

  const calls: KeyCalls = {
    async issueKey({ context, source = 'api', ...asked }) {
      const { accountId = '', commandId = '' } = context ?? {};
      const hash = issuedBy.get(commandId);
      const secret = keptSecrets.get(commandId);
      if (hash !== undefined && secret !== undefined) return { key: own(accountId, hash), secret };
      if (hash !== undefined) throw new Fault('conflict', { metadata: { hash } });
      const workspaceId = workspaceOf(accountId, asked.workspaceId);
      const expiresAt = expiryOf(asked.expiresAt, clock.now());
      const issued = add({ ...asked, source, accountId, workspaceId, expiresAt });
      issuedBy.set(commandId, issued.key.hash);
      if (asked.keepSecret) keptSecrets.set(commandId, issued.secret);
      return issued;
    },
    async confirmDelivery({ commandId }) {
      keptSecrets.delete(commandId);
      return {};
    },
    async updateKey({ context, hash, name, disabled, includeByokInLimit, limit, limitReset }) {
      const key = own(context?.accountId ?? '', hash);
      const updated: Key = {
        ...key,
        name: name ?? key.name,
        disabled: disabled ?? key.disabled,
        includeByokInLimit: includeByokInLimit ?? key.includeByokInLimit,
        limitNanoUsd: limit ? limit.limitNanoUsd : key.limitNanoUsd,
        limitReset: limitReset ? limitReset.limitReset : key.limitReset,
      };
      keys.set(hash, updated);
      return { key: updated };
    },
    async deleteKey({ context, hash }) {
      own(context?.accountId ?? '', hash);
      keys.delete(hash);
      return {};
    },
    async getKey({ accountId, hash, at }) {
      const key = own(accountId, hash);
      if (at !== undefined && at < key.createdAt) throw new Fault('not_found');
      return { key };
    },
    async listKeys({ accountId, workspaceId, includeDisabled, offset }) {
      const workspace = workspaceOf(accountId, workspaceId);
      const found = [...keys.values()].filter(
        (key) =>
          key.accountId === accountId &&
          key.workspaceId === workspace &&
          key.kind === KeyKind.KEY_KIND_REGULAR &&
          (includeDisabled || !key.disabled),
      );
      return { keys: found.toReversed().slice(offset, offset + pageSize) };
    },
    async resolveKey({ hash, secret }) {
      resolved++;
      const key = keys.get(hash);
      if (!key || inspectApiKey(secret)?.hash !== hash) throw new Fault('not_found');
      return { key, revision: 0n };
    },
  };
  return { calls, add, resolved: () => resolved, keptSecrets: () => keptSecrets.size };
}

function refused(path: string, message: string): Fault {
  return rejectionToFault(invalidRequest([{ path, message }]));
}

function expiryOf(expiresAt: string | undefined, now: Date): string | undefined {
  if (expiresAt === undefined) return undefined;
  const instant = new Date(expiresAt);
  if (Number.isNaN(instant.getTime())) throw refused('expires_at', 'must be a time');
  if (instant <= now) throw refused('expires_at', 'must be in the future');
  return instant.toISOString();
}
