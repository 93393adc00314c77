import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bus, subjects } from '@sluice/bus';
import { type KeyManagement, seal } from '@sluice/envelope';
import { encodeContents } from '@sluice/generation-contents';
import {
  GenerationEnded,
  GenerationEndedBundle,
} from '@sluice/protos/sluice/generation/v1/generation_events';
import { DestinationUseServiceService } from '@sluice/protos/sluice/workspace/v1/destination_use';
import { implement, startRpcServer } from '@sluice/rpc';
import { destinationCalls, type ListedDestination } from './destination-list.ts';

const token = 'token-of-an-observer';

/** The program of the observer, and the settings with which it finds its destinations. Those of NATS are missing. */
export interface ObserverProcess extends AsyncDisposable {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a workspace service that lists destinations, for an observer in a process of its own. */
export async function observerProcess(
  destinations: readonly ListedDestination[],
  { postgresUrl, keyFile }: { readonly postgresUrl: string; readonly keyFile: string },
): Promise<ObserverProcess> {
  const calls = destinationCalls(() => destinations);
  const workspace = await startRpcServer({
    services: [implement(DestinationUseServiceService, calls)],
    address: '127.0.0.1:0',
    token,
    onBug: (error) => {
      throw error;
    },
  });
  return {
    program: join(import.meta.dirname, '..', 'main.ts'),
    env: {
      SLUICE_HOST: '127.0.0.1',
      SLUICE_ADMIN_PORT: '0',
      SLUICE_RPC_ADDRESS: '127.0.0.1:0',
      SLUICE_RPC_TOKEN: token,
      SLUICE_WORKSPACE_ADDRESS: workspace.address,
      SLUICE_POSTGRES_URL: postgresUrl,
      SLUICE_ENVELOPE_KEY_FILE: keyFile,
      SLUICE_EGRESS_ALLOW: '127.0.0.1',
    },
    async [Symbol.asyncDispose]() {
      await workspace.stop();
    },
  };
}

const retryMs = 50;

/** Publishes a message again and again until the broker has stored it, as routing does. */
export async function publishUntilStored(
  bus: Bus,
  subject: string,
  id: string,
  message: object,
): Promise<void> {
  for (;;)
    try {
      await bus.publishFact(subject, id, message);
      return;
    } catch {
      await delay(retryMs);
    }
}

/** Publishes the end of a generation with sealed contents: these words of a user, and these of the answer if any. */
export async function publishEnd(
  bus: Bus,
  keys: KeyManagement,
  end: Pick<GenerationEnded, 'generationId' | 'accountId' | 'workspaceId' | 'turns' | 'endedAt'>,
  [asked, ...answered]: readonly [string, ...string[]],
): Promise<void> {
  const { generationId, accountId } = end;
  const said = (role: 'user' | 'assistant') => (content: string) => ({
    role,
    parts: [{ type: 'text' as const, content }],
  });
  const contents = encodeContents({
    system: [],
    input: [said('user')(asked)],
    output: answered.map(said('assistant')),
    tools: [],
    isCut: false,
  });
  const owner = { accountId, recordId: `contents/${generationId}` };
  const { keyVersion, wrappedKey, ciphertext } = await seal(keys, owner, contents);
  const sealed = {
    keyVersion,
    wrappedKey: Buffer.from(wrappedKey),
    ciphertext: Buffer.from(ciphertext),
  };
  const ended = GenerationEnded.fromPartial({ ...end, contents: sealed });
  const message = GenerationEndedBundle.toJSON({ ends: [ended] }) as object;
  await publishUntilStored(bus, subjects.generationEnded(accountId), generationId, message);
}
