import {
  aggregateService,
  type AggregateDependencies,
  beside,
  type Opened,
} from '@sluice/boot/aggregate-service';
import { directoryStream } from '@sluice/bus';
import type { KeyManagement } from '@sluice/envelope';
import { assertEnvelopeKeys, lookAfterSecrets } from '@sluice/sealed-secrets';
import { assertPeppers } from './commands/check-peppers.ts';
import type { Directory } from './commands/directory.ts';
import type { KeyChange } from './commands/key-change.ts';
import type { Peppers } from './commands/key-digest.ts';
import { directoryConsequences } from './commands/directory-consequences.ts';
import { eraseKeptSecrets } from './commands/erase-kept-secrets.ts';
import { apiKeysProjection } from './projections/api-keys.ts';
import { byokCredentialsProjection } from './projections/byok-credentials.ts';
import { keyStatesProjection } from './projections/key-states.ts';
import { eraseByokSecrets } from './reactions/erase-byok-secrets.ts';
import { followDirectory } from './reactions/follow-directory.ts';
import {
  publishCredentialChange,
  publishCredentialChanges,
} from './reactions/publish-credential-changes.ts';
import { publishHistory } from './reactions/publish-history.ts';
import {
  publishedChange,
  publishKeyChange,
  publishKeyChanges,
} from './reactions/publish-key-changes.ts';
import { publishKeyDeletions } from './reactions/publish-key-deletions.ts';
import { publishKeyNames } from './reactions/publish-key-names.ts';
import { publishKeyLimits } from './reactions/publish-key-limits.ts';
import { verifyNewCredentials } from './reactions/verify-new-credentials.ts';
import { verifyNewKeys } from './reactions/verify-new-keys.ts';
import { keyReadModels } from './read-models.ts';
import { byokEvents } from './store/byok-events.ts';
import { byokSecrets } from './store/byok-secrets.ts';
import { closings } from './store/closings.ts';
import { issueAttempts } from './store/issue-attempts.ts';
import { byokRpc } from './rpc/byok-service.ts';
import { byokUseRpc } from './rpc/byok-use-service.ts';
import { keyRpc } from './rpc/key-service.ts';

export { type DirectoryClients, rpcDirectory } from './clients/directory.ts';
export type { Directory, Peppers };

export interface KeyDependencies extends AggregateDependencies {
  readonly directory: Directory;
  readonly peppers: Peppers;
  /** Seals the provider credentials of customers. */
  readonly keyManagement: KeyManagement;
  /** Cryptographically random: secrets are made of it. */
  readonly randomBytes: (size: number) => Uint8Array;
}

/** API keys and provider credentials: commands, read models, resolving a secret, and telling others. */
export function createService(given: KeyDependencies) {
  return aggregateService(given, {
    readModels: keyReadModels,
    streams: [directoryStream],
    rpc(opened) {
      const { database, bus, shown } = opened;
      return [
        keyRpc({
          ...opened,
          attempts: issueAttempts(database),
          closings: closings(database),
          isComplete: () => opened.isComplete(keyStatesProjection),
          publishChange: keyPublisher(opened),
          shown: { keys: shown(apiKeysProjection, keyStatesProjection) },
        }),
        byokRpc({
          ...opened,
          publishChange: (change) => beside(publishCredentialChange(bus, change)),
          shown: { credentials: shown(byokCredentialsProjection, eraseByokSecrets) },
        }),
        byokUseRpc(opened),
      ];
    },
    reactions(opened) {
      const { bus, eventStore, held } = opened;
      const publishChange = keyPublisher(opened);
      const consequences = directoryConsequences({ ...opened, publishChange });
      return [
        eraseByokSecrets,
        publishCredentialChanges({ bus, projected: held(byokCredentialsProjection) }),
        publishHistory(bus),
        publishKeyChanges(bus, eventStore),
        publishKeyLimits(bus, eventStore),
        publishKeyDeletions(bus, eventStore),
        publishKeyNames(bus, eventStore),
        verifyNewCredentials({ ...opened, consequences }),
        verifyNewKeys({ ...opened, consequences, projected: held(apiKeysProjection) }),
      ];
    },
    follow: (opened) => [
      followDirectory({ ...opened, publishChange: keyPublisher(opened) }),
      lookAfterSecrets({
        ...opened,
        secrets: byokSecrets,
        async isUsed({ accountId, secretId, recordId }) {
          const { state } = await byokEvents.load(opened.eventStore, accountId);
          return state.get(recordId)?.secretId === secretId;
        },
      }),
      eraseKeptSecrets(issueAttempts(opened.database), opened),
    ],
    async check() {
      await assertEnvelopeKeys({ ...given, secrets: byokSecrets });
      await assertPeppers(given.database, given.peppers);
    },
  });
}

/** Returns a function that publishes a change without delaying the answer to its command. */
function keyPublisher({ bus, eventStore }: Opened<KeyDependencies>): (change: KeyChange) => void {
  return (change) => beside(publishKeyChange(bus, publishedChange(change, eventStore.history())));
}
