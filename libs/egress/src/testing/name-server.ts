import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface NameServer {
  /** `address:port`, as the options of an egress have it. */
  readonly address: string;
  /** The names that were asked for, with the type of the record. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

const recordTypes: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };
const headerBytes = 12;

/**
 * Starts a name server on loopback. `resolve` returns the addresses of a name at each question, so that they may
 * change between two; undefined is no answer at all. Records have no time to live.
 */
export async function startNameServer(
  resolve: (name: string, type: 'A' | 'AAAA') => readonly string[] | undefined,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (question, { port, address }) => {
    const { name, end } = readName(question);
    const type = recordTypes[question.readUInt16BE(end)];
    if (!type) return;
    asked.push(`${name} ${type}`);
    const addresses = resolve(name, type)?.filter((one) => isIPv4(one) === (type === 'A'));
    if (addresses) socket.send(answer(question.subarray(0, end + 4), addresses), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readName(question: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function answer(question: Buffer, addresses: readonly string[]): Buffer {
  const header = Buffer.from(question);
  header.writeUInt16BE(0x81_80, 2);
  header.writeUInt16BE(addresses.length, 6);
  // No records of the kinds "authority" and "additional", whatever the question has.
  header.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc0_0c, 0);
    record.writeUInt16BE(bytes.length === 4 ? 1 : 28, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([header, ...records]);
}
