import { join } from 'node:path';
import { freePort, startServerProcess } from '@sluice/embedded';
import { sandboxEnvironment } from '@sluice/local';
import { SandboxServiceService } from '@sluice/protos/sluice/sandbox/v1/sandbox';
import { rpcClient } from '@sluice/rpc';
import type { Measure } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { withScratch } from '../scratch.ts';

const program = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  'services',
  'sandbox',
  'src',
  'main.ts',
);
const token = 'token-of-the-sandbox-bench';
const deadlineMs = 60_000;
const commands = 50;

interface SandboxBenchOptions {
  readonly folder: string;
  readonly onProgress: (line: string) => void;
}

/** Measures how soon a first command of a new container has ended, and one of a warm container, one after the other. */
export async function sandboxBench({
  folder,
  onProgress,
}: SandboxBenchOptions): Promise<readonly Measure[]> {
  return await withScratch(folder, 'sandbox', async (directory) => {
    const address = `127.0.0.1:${await freePort(new Set())}`;
    const own = { address, rpcToken: token, dataDirectory: directory, adminPort: 0 };
    const env = {
      ...sandboxEnvironment(process.env, own),
      SLUICE_SANDBOX_ENGINE: process.env['SLUICE_SANDBOX_ENGINE'] || 'bubblewrap',
      SLUICE_SANDBOX_CONTAINERS_MAX: '100',
      SLUICE_SANDBOX_ACCOUNT_CONTAINERS_MAX: '100',
    };
    const server = await startServerProcess({
      name: 'sandbox',
      command: process.execPath,
      args: [program, directory],
      env,
      stopSignal: 'SIGTERM',
      readyPattern: /^sandbox: /,
      onLog: (line) => line.startsWith('sandbox: ') && onProgress(line),
    });
    const client = rpcClient(SandboxServiceService, { address, token, deadlineMs });
    const timed = async (work: () => Promise<unknown>) => {
      const startedMs = performance.now();
      await work();
      return performance.now() - startedMs;
    };
    const containerOf = (number: number) => ({
      accountId: 'bench',
      workspaceId: 'bench',
      containerId: `c${number}`,
    });
    const run = (number: number) =>
      client.runCommand({
        container: containerOf(number),
        command: 'true',
        timeoutMs: 0,
        outputBytesMax: 0,
      });
    const open = (number: number) =>
      client.openContainer({
        container: containerOf(number),
        allowedDomains: [],
        sleepAfterSeconds: 0,
      });
    try {
      const first: number[] = [];
      for (let number = 0; number < commands; number++)
        first.push(await timed(async () => run((await open(number), number))));
      const warm: number[] = [];
      for (let number = 0; number < commands; number++) warm.push(await timed(() => run(number)));
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

/** Milliseconds until a new container has run a first command, in the median. */
const startMsMax = 150;

function measuresOf(
  what: string,
  times: readonly number[],
  medianMax?: number,
): readonly Measure[] {
  return [0.5, 0.99].map((share) => ({
    name: `${what}, p${share * 100}`,
    value: percentile(times, share),
    unit: 'ms',
    ...(share === 0.5 &&
      medianMax !== undefined && { target: { kind: 'at most', value: medianMax } as const }),
  }));
}
