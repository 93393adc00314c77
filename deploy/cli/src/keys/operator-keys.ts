import { Fault } from '@sluice/errors';
import { type Key, KeyKind, KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import type { Operator } from '../operator.ts';
import type { ChangeOneKey, ListManagementKeys, OperatorKeyCommand } from './command.ts';
import { createManagementKey, type OfAccount } from './create-management-key.ts';

/** Creates, lists or changes keys. Returns the exit code; throws the fault of the service. */
export async function operatorKeys(
  command: OperatorKeyCommand,
  operator: Operator<'key'>,
): Promise<number> {
  const accountId = await operator.accountOf(command.accountId);
  await operator.ask('key', KeyServiceService, async (keys) => {
    const given = { ...operator, accountId, keys };
    if (command.name === 'create') return await createManagementKey(command, given);
    if (command.name === 'list') return await list(command, given);
    return await change(command, given);
  });
  return 0;
}

const columns = ['hash', 'label', 'name', 'disabled', 'expires_at', 'created_at'];

async function list(
  { offset, json }: ListManagementKeys,
  { keys, accountId, tell }: OfAccount,
): Promise<void> {
  const found = await keys.listManagementKeys({ accountId, offset });
  tell({ data: found.keys.map(viewOf), total_count: found.totalCount }, json, columns);
}

const done = { disable: 'is disabled', enable: 'is enabled', revoke: 'is revoked' } as const;
const unchanged = {
  name: undefined,
  includeByokInLimit: undefined,
  limit: undefined,
  limitReset: undefined,
};

async function change(command: ChangeOneKey, given: OfAccount): Promise<void> {
  const { keys, accountId, output } = given;
  const key = await keyOf(command.hash, given);
  const { hash } = key;
  const context = given.context(accountId);
  const disabled = command.name === 'disable';
  if (command.name === 'revoke') await keys.deleteKey({ context, hash });
  else await keys.updateKey({ context, hash, ...unchanged, disabled });
  if (command.json) return output.line(JSON.stringify({ hash, [command.name]: true }));
  output.line(`Key ${key.label} (${key.name}) of ${accountId} ${done[command.name]}.`);
  if (key.kind === KeyKind.KEY_KIND_MANAGEMENT && command.name !== 'enable')
    await tellOfTheLast(given);
}

/** Warns about the last key. The operator can always make another one. */
async function tellOfTheLast({ keys, accountId, output }: OfAccount): Promise<void> {
  const now = new Date().toISOString();
  for await (const key of managementKeys(keys, accountId))
    if (!key.disabled && (key.expiresAt === undefined || key.expiresAt > now)) return;
  output.line(
    `${accountId} has no management key any more. sluice keys create-management makes one.`,
  );
}

const hashCharacters = 64;

/** The key of a hash, of either kind, or the one management key whose hash begins so. */
async function keyOf(hash: string, { keys, accountId }: OfAccount): Promise<Key> {
  const found: Key[] = [];
  if (hash.length === hashCharacters) {
    const { key } = await keys.getKey({ accountId, hash });
    if (key) found.push(key);
  } else
    for await (const key of managementKeys(keys, accountId))
      if (key.hash.startsWith(hash)) found.push(key);
  const [key, another] = found;
  if (another)
    throw new Fault('conflict', { message: `${hash} begins several hashes: give more of it` });
  if (key) return key;
  throw new Fault('not_found', { message: `There is no such key of ${accountId}` });
}

const keysMax = 10_000;

async function* managementKeys(keys: OfAccount['keys'], accountId: string): AsyncGenerator<Key> {
  for (let offset = 0; offset < keysMax;) {
    const page = await keys.listManagementKeys({ accountId, offset });
    yield* page.keys;
    offset += page.keys.length;
    if (page.keys.length === 0 || offset >= page.totalCount) return;
  }
}

const viewOf = ({ hash, label, name, disabled, expiresAt, createdAt }: Key) => ({
  hash,
  label,
  name,
  disabled,
  expires_at: expiresAt ?? null,
  created_at: createdAt,
});
