import { createServer, type ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { listenOnLoopback, type Loopback } from '@sluice/acceptance/loopback';
import type { Recording } from './recording.ts';

/** Small enough to cut every event, and most characters of several bytes. */
export const pieceBytes = 7;

/** Starts a provider that answers with recordings. `find` returns the answer to the name of a model. */
export async function startProvider(
  find: (upstreamModel: string) => { readonly recording: Recording; readonly inPieces: boolean },
): Promise<Loopback> {
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
  return await listenOnLoopback(server);
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
