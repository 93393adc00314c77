import { PassThrough, type Readable } from 'node:stream';
import { WebSocket } from 'undici';
import type { Cluster } from './cluster.ts';

/** The protocols of `exec` and `attach`, by preference. We never need to close one direction, which only v5 can. */
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
/** The first byte of each message names its channel. */
const channel = { stdin: 0, stdout: 1, stderr: 2, status: 3 } as const;

const openTimeoutMs = 15_000;
const messageBytesMax = 32_768;
const statusBytesMax = 65_536;

export interface ExecStatus {
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { reason?: string; message?: string }[] };
}

export interface Channels {
  readonly stdout: Readable;
  readonly stderr: Readable;
  send(bytes: Uint8Array): void;
  /** Resolves with how the program ended; undefined when the connection broke before that was known. */
  readonly ended: Promise<ExecStatus | undefined>;
  close(): void;
}

/** Opens the channels of `exec` or `attach`. Throws when the API refuses. */
export async function openChannels(cluster: Cluster, path: string): Promise<Channels> {
  const { url, headers, dispatcher } = await cluster.socketTo(path);
  const socket = new WebSocket(url, { protocols, headers, dispatcher });
  socket.binaryType = 'arraybuffer';
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const { promise: ended, resolve: end } = Promise.withResolvers<ExecStatus | undefined>();
  let status = '';
  socket.addEventListener('message', ({ data }) => {
    const bytes = Buffer.from(data as ArrayBuffer);
    const rest = bytes.subarray(1);
    if (bytes[0] === channel.stdout) stdout.write(rest);
    else if (bytes[0] === channel.stderr) stderr.write(rest);
    else if (bytes[0] === channel.status && status.length < statusBytesMax) {
      status += rest.toString();
      const parsed = parseStatus(status);
      if (parsed) end(parsed);
    }
  });
  socket.addEventListener('close', () => {
    stdout.end();
    stderr.end();
    end(undefined);
  });
  await opened(socket);
  return {
    stdout,
    stderr,
    send(bytes) {
      for (let at = 0; at < bytes.length; at += messageBytesMax)
        socket.send(
          Buffer.concat([Buffer.of(channel.stdin), bytes.subarray(at, at + messageBytesMax)]),
        );
    },
    ended,
    close: () => socket.close(),
  };
}

async function opened(socket: WebSocket): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('Kubernetes opens no channels')), openTimeoutMs);
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', (event) => {
        const words = event.error instanceof Error ? event.error.message : event.message;
        reject(new Error(`Kubernetes opens no channels: ${words}`));
      });
      socket.addEventListener('close', () => reject(new Error('Kubernetes closed the channels')));
    });
  } catch (error) {
    socket.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function parseStatus(text: string): ExecStatus | undefined {
  try {
    return JSON.parse(text) as ExecStatus;
  } catch {
    return undefined;
  }
}

/** Returns the exit code that a status tells; undefined when the program could not be run. */
export function exitCodeOf({ status, reason, details }: ExecStatus): number | undefined {
  if (status === 'Success') return 0;
  if (reason !== 'NonZeroExitCode') return undefined;
  const told = details?.causes?.find((cause) => cause.reason === 'ExitCode')?.message;
  const code = Number(told);
  return told !== undefined && Number.isInteger(code) ? code : undefined;
}
