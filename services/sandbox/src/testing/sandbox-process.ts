import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SandboxServiceService } from '@sluice/protos/sluice/sandbox/v1/sandbox';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { rpcClient } from '@sluice/rpc';

const token = 'token-of-the-sandbox-tests';
const deadlineMs = 120_000;

export interface SandboxProcess {
  readonly child: ChildProcess;
  readonly client: ReturnType<typeof clientOf>;
  /** The sentence of the service about its engine. */
  readonly announcement: string;
  end(signal: NodeJS.Signals): Promise<void>;
}

const clientOf = (address: string) =>
  rpcClient(SandboxServiceService, { address, token, deadlineMs });

/** Starts the service as a process of its own. */
export async function startSandbox(
  directory: string,
  env: Readonly<Record<string, string>> = {},
): Promise<SandboxProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'main.ts')], {
    env: {
      ...bareEnvironment,
      SLUICE_RPC_TOKEN: token,
      SLUICE_ADMIN_PORT: '0',
      SLUICE_DATA_DIR: directory,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const said: { address?: string; announcement?: string } = {};
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('sandbox: ')) said.announcement = line.slice('sandbox: '.length);
      else if (line.includes('"address"'))
        said.address = (JSON.parse(line) as typeof said).address ?? '';
      if (said.announcement !== undefined && said.address !== undefined) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}`)));
  });
  const client = clientOf(said.address ?? '');
  return {
    child,
    client,
    announcement: said.announcement ?? '',
    async end(signal) {
      client.close();
      child.kill(signal);
      await exited;
    },
  };
}
