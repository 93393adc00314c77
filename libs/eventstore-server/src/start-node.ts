import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startAdmin } from '@sluice/boot';
import { createTelemetry } from '@sluice/telemetry';
import type { KeyPair } from './access/certificates.ts';
import type { CommandLine } from './command-line.ts';
import { takeFaults } from './fault-control.ts';
import { observeRecovery } from './observe-recovery.ts';
import { startEventStoreServer, type EventStoreServer } from './server.ts';

/** Starts what the command line describes. Rejects with one sentence. */
export async function startNode(
  options: CommandLine,
): Promise<Pick<EventStoreServer, 'port' | 'stop'>> {
  const { directory, host, port, acceptLoss, adminPort, insecure } = options;
  const { certificates, secrets, appendBytesMax } = options;
  const server = await startEventStoreServer({
    directory,
    host,
    port,
    acceptLoss,
    insecure,
    secretsDirectory: secrets,
    keyPair: certificates === undefined ? undefined : await readKeyPair(certificates),
    ...(appendBytesMax === undefined ? {} : { appendBytesMax }),
    ...(options.faults ? { faults: takeFaults(process) } : {}),
  });
  if (adminPort === undefined) return server;
  try {
    const admin = await startMetrics(server, adminPort);
    const stop = async () => void (await Promise.all([admin.stop(), server.stop()]));
    return { port: server.port, stop };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function startMetrics({ recovery }: EventStoreServer, port: number) {
  const telemetry = createTelemetry({ serviceName: 'eventstore', otlpEndpoint: undefined });
  observeRecovery(telemetry, recovery);
  return await startAdmin({
    host: '127.0.0.1',
    port,
    unreadiness: () => [],
    metrics: () => telemetry.prometheus(),
  });
}

async function readKeyPair(directory: string): Promise<KeyPair> {
  const [certificate, privateKey] = await Promise.all([
    readFile(join(directory, 'node.crt'), 'utf8'),
    readFile(join(directory, 'node.key'), 'utf8'),
  ]);
  return { certificate, privateKey };
}
