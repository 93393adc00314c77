import { Fault, requireAccepted } from '@sluice/errors';
import type { KeyManagement } from '@sluice/envelope';
import type { EventStore, Position } from '@sluice/es';
import type { Database } from '@sluice/read-model';
import type { ReceivedContext } from '@sluice/rpc';
import type { Secret } from '@sluice/boot';
import { sealSecret } from '@sluice/sealed-secrets';
import { derivedId } from '@sluice/clock-and-ids';
import type { AddByokCredential, ChangeByokCredential } from '../../domain/byok/commands.ts';
import { byok } from '../../domain/byok/decide.ts';
import type { ByokSettings } from '../../domain/byok/events.ts';
import { type ByokCredential, type ByokCredentials, initial } from '../../domain/byok/state.ts';
import { type ByokHandler, byokEvents } from '../../store/byok-events.ts';
import { byokSecrets } from '../../store/byok-secrets.ts';
import type { Directory } from '../directory.ts';
import { assertStillThere, findWorkspace } from '../find-workspace.ts';
import { assertKeysExist, labelOfCredential } from './check-credential.ts';
import { oneAtATime } from './one-at-a-time.ts';

export interface ByokCommandDependencies {
  readonly eventStore: EventStore;
  readonly database: Database;
  readonly keyManagement: KeyManagement;
  readonly directory: Pick<Directory, 'account' | 'workspaceExists' | 'workspaceIsAlive'>;
}

/** An empty workspace id means the default workspace of the account. */
export interface WantedCredential {
  readonly provider: string;
  readonly secret: Secret;
  readonly workspaceId: string;
  readonly settings: ByokSettings;
}

export interface WantedChanges {
  readonly credentialId: string;
  readonly settings: Partial<ByokSettings>;
  /** If undefined, the secret stays. */
  readonly secret: Secret | undefined;
}

export interface ChangedCredential {
  readonly credential: ByokCredential;
  readonly position: Position | undefined;
}

/** The commands on provider credentials. All throw invalid_request and not_found. */
export function byokCommands(dependencies: ByokCommandDependencies) {
  const { eventStore } = dependencies;
  const handle = byokEvents.handler(eventStore);
  const inTurn = oneAtATime();
  return {
    async add(wanted: WantedCredential, context: ReceivedContext): Promise<ChangedCredential> {
      const asked = askedToAdd(wanted, context);
      const workspaceId = await placeOf(dependencies, wanted, context.accountId);
      const command: AddByokCredential = { ...asked, workspaceId };
      return inTurn(context.accountId, async () => {
        const { accountId, commandId } = context;
        const { handledBefore } = await byokEvents.load(eventStore, accountId, commandId);
        const { secret } = handledBefore ? {} : wanted;
        const added = await sealAndCarryOut(dependencies, { handle, command, secret }, context);
        const place = { named: wanted.workspaceId, workspaceId };
        await assertStillThere(dependencies.directory, accountId, place);
        return added;
      });
    },
    async change(wanted: WantedChanges, context: ReceivedContext): Promise<ChangedCredential> {
      return inTurn(context.accountId, async () => {
        const loaded = await byokEvents.load(eventStore, context.accountId, context.commandId);
        const command = askedToChange(wanted, context, loaded.state);
        await assertKeysExist(dependencies.database, context.accountId, wanted.settings);
        const { secret } = loaded.handledBefore ? {} : wanted;
        return sealAndCarryOut(dependencies, { handle, command, secret }, context);
      });
    },
    async remove(credentialId: string, context: ReceivedContext): Promise<Position | undefined> {
      const { accountId, occurredAt } = context;
      const command = { type: 'DeleteByokCredential', credentialId, occurredAt } as const;
      return inTurn(accountId, async () => {
        const handled = requireAccepted(await handle(accountId, command, context));
        return handled.position;
      });
    },
  };
}

const nilUuid = '00000000-0000-0000-0000-000000000000';

/** Values that would be refused are refused before anybody else is asked. */
function askedToAdd(
  { provider, secret, settings }: WantedCredential,
  { accountId, commandId, occurredAt }: ReceivedContext,
): AddByokCredential {
  const command: AddByokCredential = {
    type: 'AddByokCredential',
    credentialId: derivedId('byok credential', accountId, commandId),
    accountId,
    workspaceId: nilUuid,
    provider,
    secret: {
      secretId: derivedId('byok secret', accountId, commandId),
      label: labelOfCredential(provider, secret),
    },
    settings,
    occurredAt,
  };
  requireAccepted(byok.decide(command, initial));
  return command;
}

async function placeOf(
  { directory, database }: ByokCommandDependencies,
  { workspaceId: named, settings }: WantedCredential,
  accountId: string,
): Promise<string> {
  const workspaceId = await findWorkspace(directory, accountId, named);
  await assertKeysExist(database, accountId, settings);
  return workspaceId;
}

function askedToChange(
  { credentialId, settings: changes, secret }: WantedChanges,
  { accountId, commandId, occurredAt }: ReceivedContext,
  credentials: ByokCredentials,
): ChangeByokCredential {
  const credential = credentials.get(credentialId);
  if (!credential) throw new Fault('not_found');
  const sealed = secret && {
    secretId: derivedId('byok secret', accountId, commandId),
    label: labelOfCredential(credential.provider, secret),
  };
  const type = 'ChangeByokCredential' as const;
  const command = { type, credentialId, changes, secret: sealed, occurredAt };
  requireAccepted(byok.decide(command, credentials));
  return command;
}

interface Sealing {
  readonly handle: ByokHandler;
  readonly command: AddByokCredential | ChangeByokCredential;
  /** If undefined, there is no secret to seal, or an earlier attempt has sealed it. */
  readonly secret?: Secret | undefined;
}

/** Seals before the append, so that the log names only stored secrets. The next start erases unused ones. */
async function sealAndCarryOut(
  dependencies: ByokCommandDependencies,
  { handle, command, secret }: Sealing,
  context: ReceivedContext,
): Promise<ChangedCredential> {
  const { credentialId } = command;
  const { accountId } = context;
  if (secret && command.secret) {
    const { secretId } = command.secret;
    const place = { accountId, secretId, recordId: credentialId };
    await sealSecret({ ...dependencies, secrets: byokSecrets }, place, secret.reveal());
  }
  const handled = requireAccepted(await handle(accountId, command, context));
  const credential = handled.state.get(credentialId);
  // Sent again after it was deleted.
  if (!credential) throw new Fault('not_found');
  return { credential, position: handled.position };
}
