import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChunks } from '@sluice/testing/chat-stream';
import { readMessages } from '@sluice/testing/messages-stream';
import { readStream } from '@sluice/testing/response-stream';
import type { Event, StreamFormat } from '@sluice/testing/stream-mutations';
import { goldenFolder } from './golden-file.ts';

/** A stream that a client got, from a golden file. */
export interface GoldenStream {
  readonly name: string;
  readonly format: StreamFormat;
  readonly generationId: string;
  readonly events: readonly Event[];
}

/** Returns the streams of all golden files. One that its client left is left out. */
export function goldenStreams(): readonly GoldenStream[] {
  const names = readdirSync(goldenFolder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.txt') && !name.includes('client-leaves'))
    .toSorted()
    .flatMap((name) =>
      readFileSync(join(goldenFolder, name), 'utf8')
        .split(/^(?:=====|---) /m)
        .flatMap((part) => streamIn(name, part) ?? []),
    );
}

function streamIn(name: string, part: string): GoldenStream | undefined {
  if (!/^the client is answered\n.*^content-type: text\/event-stream/ms.test(part))
    return undefined;
  const text = part.replaceAll(/<\w+ (\d+)>/g, '$1').replaceAll(/<\w+>/g, '1');
  const format = formatOf(text);
  const generationId = /^x-generation-id: (.*)$/m.exec(text)?.[1] ?? '';
  const data = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => json);
  const events = data.map((json) => JSON.parse(json) as Event);
  return { name, format, generationId, events };
}

function formatOf(text: string): StreamFormat {
  if (/^event: response\./m.test(text)) return 'response';
  return /^event: /m.test(text) ? 'messages' : 'chat';
}

/** Throws for the first rule of its format that the stream breaks. */
export function checkStream({ format, generationId, events }: GoldenStream): void {
  const frames = events.map((event) => {
    const line = format === 'chat' ? '' : `event: ${String(event['type'])}\n`;
    return `${line}data: ${JSON.stringify(event)}\n\n`;
  });
  const text = frames.join('') + (format === 'messages' ? '' : 'data: [DONE]\n\n');
  if (format === 'response') readStream(text, { generationId });
  else if (format === 'chat') readChunks(text, generationId);
  else readMessages(text, generationId);
}
