import { join } from 'node:path';
import { freePort, startServerProcess } from '@sluice/embedded';
import { sandboxEnvironment } from '@sluice/local';
import { SandboxServiceService } from '@sluice/protos/sluice/sandbox/v1/sandbox';
import { rpcClient } from '@sluice/rpc';
import { type Measure, measured } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { showProgress } from '../program.ts';
import { withScratch } from '../scratch.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const program = join(root, 'services', 'sandbox', 'src', 'main.ts');
const token = 'token-of-the-sandbox-bench';
const deadlineMs = 60_000;
const commands = 50;
/** Milliseconds until a new container has run a first command, in the median. */
const startMsMax = 150;

/** Measures how soon a first command of a new container has ended, and one of a warm container, one after the other. */
export async function sandboxBench(): Promise<readonly Measure[]> {
  return await withScratch('sandbox', async (directory) => {
    const address = `127.0.0.1:${await freePort(new Set())}`;
    const own = { address, rpcToken: token, dataDirectory: directory, adminPort: 0 };
    const server = await startServerProcess({
      name: 'sandbox',
      command: process.execPath,
      args: [program, directory],
      env: {
        ...sandboxEnvironment(process.env, own),
        SLUICE_SANDBOX_ENGINE: process.env['SLUICE_SANDBOX_ENGINE'] || 'bubblewrap',
        SLUICE_SANDBOX_CONTAINERS_MAX: '100',
        SLUICE_SANDBOX_ACCOUNT_CONTAINERS_MAX: '100',
      },
      stopSignal: 'SIGTERM',
      readyPattern: /^sandbox: /,
      onLog: (line) => line.startsWith('sandbox: ') && showProgress(line),
    });
    const client = rpcClient(SandboxServiceService, { address, token, deadlineMs });
    const containerOf = (number: number) => ({
      accountId: 'bench',
      workspaceId: 'bench',
      containerId: `c${number}`,
    });
    const run = (number: number) => {
      const container = containerOf(number);
      return client.runCommand({ container, command: 'true', timeoutMs: 0, outputBytesMax: 0 });
    };
    const open = (number: number) => {
      const container = containerOf(number);
      return client.openContainer({ container, allowedDomains: [], sleepAfterSeconds: 0 });
    };
    try {
      const first = await timesOf(async (number) => run((await open(number), number)));
      const warm = await timesOf(run);
      return [
        ...measuresOf('first command of a new container', first, startMsMax),
        ...measuresOf('command of a warm container', warm),
      ];
    } finally {
      client.close();
      await server.stop();
    }
  });
}

async function timesOf(work: (number: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let number = 0; number < commands; number++) {
    const startedMs = performance.now();
    await work(number);
    times.push(performance.now() - startedMs);
  }
  return times;
}

const measuresOf = (what: string, times: readonly number[], atMost?: number) => [
  measured(`${what}, p50`, percentile(times, 0.5), 'ms', { atMost }),
  measured(`${what}, p99`, percentile(times, 0.99), 'ms'),
];
