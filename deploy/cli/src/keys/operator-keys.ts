import { Fault } from '@sluice/errors';
import { type Key, KeyKind, KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { show } from '../api/show.ts';
import { asking } from '../asking.ts';
import { operatorContext } from '../operator-context.ts';
import type { KeyAddress } from '../service-addresses.ts';
import type { ChangeOneKey, ListManagementKeys, OperatorKeyCommand } from './command.ts';
import { createManagementKey } from './create-management-key.ts';
import type { KeySurroundings } from './key-surroundings.ts';

/** Carries out what the operator asks about keys. Returns the exit code; throws the fault of the service. */
export async function operatorKeys(
  command: OperatorKeyCommand,
  { service, ...others }: Omit<KeySurroundings, 'keys'> & { readonly service: KeyAddress },
): Promise<number> {
  const address = { address: service.keyAddress, rpcToken: service.rpcToken };
  await asking(KeyServiceService, address, async (keys) => {
    const surroundings = { keys, ...others };
    if (command.name === 'create') return await createManagementKey(command, surroundings);
    if (command.name === 'list') return await list(command, surroundings);
    return await change(command, surroundings);
  });
  return 0;
}

const columns = ['hash', 'label', 'name', 'disabled', 'expires_at', 'created_at'];

async function list(
  { offset, json }: ListManagementKeys,
  { keys, accountId, output }: KeySurroundings,
): Promise<void> {
  const found = await keys.listManagementKeys({ accountId, offset });
  const answer = { data: found.keys.map(viewOf), total_count: found.totalCount };
  if (json) output.line(JSON.stringify(answer, null, 2));
  else show(answer, { columns }, output);
}

const done = { disable: 'is disabled', enable: 'is enabled', revoke: 'is revoked' } as const;

async function change(command: ChangeOneKey, surroundings: KeySurroundings): Promise<void> {
  const { keys, accountId, output, ids } = surroundings;
  const key = await keyOf(command.hash, surroundings);
  const { hash } = key;
  const context = operatorContext(accountId, ids.next());
  if (command.name === 'revoke') await keys.deleteKey({ context, hash });
  else
    await keys.updateKey({
      context,
      hash,
      disabled: command.name === 'disable',
      name: undefined,
      includeByokInLimit: undefined,
      limit: undefined,
      limitReset: undefined,
    });
  if (command.json) return output.line(JSON.stringify({ hash, [command.name]: true }));
  output.line(`Key ${key.label} (${key.name}) of ${accountId} ${done[command.name]}.`);
  if (key.kind === KeyKind.KEY_KIND_MANAGEMENT && command.name !== 'enable')
    await tellOfTheLast(surroundings);
}

/** Warns about the last key. The operator can always make another one. */
async function tellOfTheLast({ keys, accountId, output }: KeySurroundings): Promise<void> {
  const now = new Date().toISOString();
  for await (const key of managementKeys(keys, accountId))
    if (!key.disabled && (key.expiresAt === undefined || key.expiresAt > now)) return;
  output.line(
    `${accountId} has no management key any more. sluice keys create-management makes one.`,
  );
}

const hashCharacters = 64;

/** The key of a hash, of either kind, or the one management key whose hash begins so. */
async function keyOf(hash: string, { keys, accountId }: KeySurroundings): Promise<Key> {
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

async function* managementKeys(
  keys: KeySurroundings['keys'],
  accountId: string,
): AsyncGenerator<Key> {
  for (let offset = 0; offset < keysMax;) {
    const page = await keys.listManagementKeys({ accountId, offset });
    yield* page.keys;
    offset += page.keys.length;
    if (page.keys.length === 0 || offset >= page.totalCount) return;
  }
}

function viewOf({ hash, label, name, disabled, expiresAt, createdAt }: Key) {
  return {
    hash,
    label,
    name,
    disabled,
    expires_at: expiresAt ?? null,
    created_at: createdAt,
  };
}
