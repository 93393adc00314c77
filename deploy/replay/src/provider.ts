import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Recording } from './recording.ts';

/** A provider that answers with recordings. */
export interface RecordedProvider {
  readonly url: string;
  stop(): Promise<void>;
}

/** Small enough to cut every event, and most characters of several bytes. */
export const pieceBytes = 7;

/** Starts a provider on the loopback interface. `find` returns the answer to the name of a model. */
export async function startProvider(
  find: (upstreamModel: string) => { readonly recording: Recording; readonly inPieces: boolean },
): Promise<RecordedProvider> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        readonly model?: string;
        readonly stream?: boolean;
      };
      const path = request.url ?? '';
      // Google has the model and the form of the answer in the path.
      const inPath = /models\/([^:]+):/.exec(path)?.[1];
      const isStreamed = body.stream ?? path.includes('streamGenerateContent');
      const { recording, inPieces } = find(body.model ?? decodeURIComponent(inPath ?? ''));
      void answer(response, { recording, inPieces, isStreamed });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  readonly recording: Recording;
  readonly inPieces: boolean;
  readonly isStreamed: boolean;
}

async function answer(
  response: ServerResponse,
  { recording, inPieces, isStreamed }: Answer,
): Promise<void> {
  const type = isStreamed ? 'text/event-stream' : 'application/json';
  response.writeHead(200, { 'content-type': type });
  const bytes = Buffer.from(isStreamed ? streamOf(recording) : (recording.body ?? ''));
  const size = inPieces ? pieceBytes : bytes.length;
  for (let start = 0; start < bytes.length; start += size) {
    response.write(bytes.subarray(start, start + size));
    if (inPieces) await turn();
  }
  response.end();
}

function streamOf({ dialect, events = [] }: Recording): string {
  const lines = events.map((data) => {
    const { type } = JSON.parse(data) as { readonly type?: unknown };
    return typeof type === 'string' ? `event: ${type}\ndata: ${data}\n\n` : `data: ${data}\n\n`;
  });
  return lines.join('') + (dialect === 'openai-chat' ? 'data: [DONE]\n\n' : '');
}
