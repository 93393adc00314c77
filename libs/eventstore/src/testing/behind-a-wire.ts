import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { startFaultyWire } from '@sluice/testing/faulty-wire';
import { connectEventStore } from '../index.ts';
import { givenUrl } from './given-server.ts';
import { restartableNode } from './restartable-node.ts';

export const numbers = (count: number) => [...Array(count).keys()].map((n) => ({ n }));

export function dataOf(events: readonly { readonly data: unknown }[]): readonly unknown[] {
  return events.map(({ data }) => data);
}

/** A store behind a wire that fails, the same store past it, and streams that nobody else has. */
export async function behindAWire({ insecure = false }: { readonly insecure?: boolean } = {}) {
  const url = givenUrl ?? (await restartableNode({ insecure })).url;
  const address = new URL(url);
  const { hostname: host, port } = address;
  const wire = await startFaultyWire({ host, port: Number(port) });
  onTestFinished(() => wire.stop());
  address.port = String(wire.port);
  const store = await connectEventStore({ url: address.href });
  const direct = await connectEventStore({ url });
  onTestFinished(() => store.stop());
  onTestFinished(() => direct.stop());
  const run = randomUUID().replaceAll('-', '');
  const stream = (name: string) => `wire${run}-${name}`;
  const stored = async (name: string) => dataOf(await Array.fromAsync(direct.read(stream(name))));
  return { wire, store, direct, stream, prefix: `wire${run}-`, stored };
}
