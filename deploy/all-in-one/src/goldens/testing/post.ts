import { request as open } from 'node:http';

export interface Reply {
  readonly status: number;
  /** `name: value`, in their order; what belongs to the connection is left out. */
  readonly headers: readonly string[];
  readonly body: string;
}

const ofConnection = new Set([
  'connection',
  'content-length',
  'date',
  'host',
  'keep-alive',
  'transfer-encoding',
]);

/** The headers that matter of a raw list of names and values. */
export function headerLines(raw: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]?.toLowerCase() ?? '';
    if (!ofConnection.has(name)) lines.push(`${name}: ${raw[index + 1] ?? ''}`);
  }
  return lines;
}

export interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly onBytes: () => void;
  /** Leaves when this text has come. */
  readonly leavesAfter?: string | undefined;
}

/** Sends a request on a connection of its own and reads the answer to its end. */
export function post({ url, method, headers, body, onBytes, leavesAfter }: Sent): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const request = open(url, { method, headers, agent: false }, (response) => {
    const chunks: Buffer[] = [];
    const read = (end = '') =>
      resolve({
        status: response.statusCode ?? 0,
        headers: headerLines(response.rawHeaders),
        body: Buffer.concat(chunks).toString() + end,
      });
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      onBytes();
      if (leavesAfter === undefined || !Buffer.concat(chunks).includes(leavesAfter)) return;
      response.destroy();
      read('<the client leaves>\n');
    });
    response.once('end', () => read());
    response.once('error', () => read('<the connection breaks>\n'));
  });
  request.once('error', reject);
  request.end(body);
  return promise;
}
