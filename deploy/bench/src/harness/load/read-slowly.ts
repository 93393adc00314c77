import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Latencies, LatencyRecorder } from '../latencies.ts';

export interface ReadersCommand {
  readonly port: number;
  /** A whole HTTP request for a stream. */
  readonly request: Buffer;
  readonly streams: number;
  /** All of them are begun within this time. */
  readonly beginningMs: number;
  /** From then on they are read for so long; then they are left. */
  readonly readingMs: number;
  /** A reader takes what there is, then nothing for so long. */
  readonly sipEveryMs: number;
}

export interface ReadersResult {
  /** Streams that were live at the end: begun with 200, not ended, not broken. */
  readonly live: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly bytes: number;
  /** From the request until its first bytes. */
  readonly firstBytes: Latencies;
}

interface Reader {
  readonly socket: Socket;
  isLive: boolean;
}

const statusPattern = /^HTTP\/1\.1 (\d{3}) /;
/** Finds the message of a refusal, whose body arrives in one piece. */
const messagePattern = /"message":"([^"]{1,80})/;
const excerptBytesMax = 1_024;

/** Begins so many streams, reads each in sips, and leaves all of them at the end. */
export async function readSlowly(command: ReadersCommand): Promise<ReadersResult> {
  const { streams, beginningMs, readingMs, sipEveryMs } = command;
  const firstBytes = new LatencyRecorder();
  const faults: Record<string, number> = {};
  const readers: Reader[] = [];
  let bytes = 0;
  const fault = (kind: string) => {
    faults[kind] = (faults[kind] ?? 0) + 1;
  };
  /** All that there is: it is paused while nobody sips, and takes 64 KiB into its own memory at most. */
  const sip = ({ socket }: Reader): string => {
    const taken: unknown = socket.read();
    if (!(taken instanceof Buffer)) return '';
    bytes += taken.length;
    return taken.toString('latin1', 0, excerptBytesMax);
  };
  const begin = () => {
    const socket = connect({ port: command.port, host: '127.0.0.1', noDelay: true });
    const reader: Reader = { socket, isLive: false };
    const sentMs = performance.now();
    socket.write(command.request);
    socket.once('readable', () => {
      firstBytes.record(performance.now() - sentMs);
      const said = sip(reader);
      const status = statusPattern.exec(said)?.[1] ?? 'none';
      reader.isLive = status === '200';
      if (!reader.isLive) fault(`status ${status} ${messagePattern.exec(said)?.[1] ?? ''}`.trim());
    });
    const lost = (kind: string) => () => {
      if (reader.isLive) fault(kind);
      reader.isLive = false;
    };
    socket.on('error', lost('connection broken')).on('close', lost('connection closed'));
    readers.push(reader);
  };

  for (let begun = 0; begun < streams; begun += 1) {
    begin();
    await delay(beginningMs / streams);
  }
  const endMs = performance.now() + readingMs;
  while (performance.now() < endMs) {
    await delay(sipEveryMs);
    for (const reader of readers) if (reader.isLive) sip(reader);
  }
  const live = readers.filter(({ isLive }) => isLive).length;
  for (const reader of readers) {
    reader.isLive = false;
    reader.socket.destroy();
  }
  return { live, faults, bytes, firstBytes: firstBytes.result() };
}
