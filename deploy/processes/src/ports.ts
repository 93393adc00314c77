import { join } from 'node:path';
import { freePort, isFreePort, readPrivateFile, writePrivateFile } from '@sluice/embedded';

/** The listeners, and the names of their ports. */
export type PortName = (typeof portNames)[number];

export const portNames = [
  'postgres',
  'nats',
  'nats-monitor',
  'eventstore',
  'account',
  'key',
  'workspace',
  'guardrail',
  'ledger',
  'analytics',
  'observer',
  'routing',
  'sandbox',
  'routing-inference',
  'eventstore-admin',
  'account-admin',
  'key-admin',
  'workspace-admin',
  'guardrail-admin',
  'ledger-admin',
  'analytics-admin',
  'observer-admin',
  'routing-admin',
  'sandbox-admin',
] as const;

export type Ports = Readonly<Record<PortName, number>>;

/**
 * A port for each, chosen on the first start and kept for the next ones: what is started again comes
 * back where the others look for it. One that another program took meanwhile is chosen anew. None is `setAside`: the
 * gateway listens on its own ports last.
 */
export async function keptPorts(
  dataDirectory: string,
  setAside: readonly number[] = [],
): Promise<Ports> {
  const file = join(dataDirectory, 'ports.json');
  const text = await readPrivateFile(file);
  const kept = text === undefined ? {} : (JSON.parse(text) as Partial<Ports>);
  const ports: Partial<Record<PortName, number>> = {};
  const taken = new Set([...setAside, ...Object.values(kept)]);
  for (const name of portNames) {
    const before = kept[name];
    const mayStay =
      before !== undefined && !setAside.includes(before) && (await isFreePort(before));
    const port = mayStay ? before : await freePort(taken);
    taken.add(port);
    ports[name] = port;
  }
  await writePrivateFile(file, `${JSON.stringify(ports, null, 2)}\n`);
  return ports as Ports;
}
