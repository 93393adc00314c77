import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { chatTelling } from './dialects/chat.ts';
import { geminiTelling } from './dialects/gemini.ts';
import { messagesTelling, wholeMessageTelling } from './dialects/messages.ts';
import { responsesTelling, terminalResponse } from './dialects/responses.ts';
import { type Json, text } from './json.ts';
import type { Telling } from './telling.ts';

/** A recorded answer of a provider. */
export interface Recording {
  /** The name of its file. */
  readonly name: string;
  readonly dialect: Dialect;
  /** The events of its stream; undefined if it was recorded whole. */
  readonly events: readonly string[] | undefined;
  /** The whole body; undefined if only its events are known. */
  readonly body: string | undefined;
  /** The content by the recording itself, read without any code of Sluice. */
  readonly telling: Telling;
}

export type Dialect = 'openai-responses' | 'openai-chat' | 'anthropic-messages' | 'google-gemini';

const extensions = ['.json', '.jsonl', '.ndjson', '.txt', '.sse'];

/** Reads the recordings of a folder, one a file: a JSON event a line, lines of an event stream, or one JSON. */
export async function readRecordings(folder: string): Promise<readonly Recording[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => extensions.includes(extname(name))).toSorted();
  return await Promise.all(
    files.map(async (name) => recordingOf(name, await readFile(join(folder, name), 'utf8'))),
  );
}

/** Reads one recording. Throws if its content is no answer of a known dialect. */
export function recordingOf(name: string, content: string): Recording {
  const whole = parsed(content);
  const events = whole ? [whole] : eventsOf(content);
  const dialect = dialectOf(events);
  if (!dialect) throw new Error(`${name}: no known dialect has such an answer`);
  if (whole && !isEvent(whole)) {
    const telling = wholeTelling(dialect, whole);
    return { name, dialect, events: undefined, body: content, telling };
  }
  const last = dialect === 'openai-responses' ? terminalResponse(events) : undefined;
  return {
    name,
    dialect,
    events: events.map((event) => JSON.stringify(event)),
    body: last && JSON.stringify(last),
    telling: streamTelling(dialect, events),
  };
}

function eventsOf(content: string): readonly Json[] {
  return content
    .split('\n')
    .map((line) => line.replace(/^data:/, '').trim())
    .map(parsed)
    .filter((event) => event !== undefined);
}

function parsed(line: string): Json | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
}

function isEvent(one: Json): boolean {
  return text(one['type']).startsWith('response.') || one['object'] === 'chat.completion.chunk';
}

/** Returns the dialect whose fields the first telling event has. */
function dialectOf(events: readonly Json[]): Dialect | undefined {
  for (const event of events) {
    const type = text(event['type']);
    if (type.startsWith('response.') || event['object'] === 'response') return 'openai-responses';
    if (type === 'message' || type.startsWith('message_')) return 'anthropic-messages';
    if (Array.isArray(event['choices'])) return 'openai-chat';
    if (Array.isArray(event['candidates'])) return 'google-gemini';
  }
  return undefined;
}

function streamTelling(dialect: Dialect, events: readonly Json[]): Telling {
  switch (dialect) {
    case 'openai-responses':
      return responsesTelling(terminalResponse(events) ?? {});
    case 'openai-chat':
      return chatTelling(events);
    case 'anthropic-messages':
      return messagesTelling(events);
    case 'google-gemini':
      return geminiTelling(events);
  }
}

function wholeTelling(dialect: Dialect, body: Json): Telling {
  switch (dialect) {
    case 'openai-responses':
      return responsesTelling(body);
    case 'openai-chat':
      return chatTelling([body]);
    case 'anthropic-messages':
      return wholeMessageTelling(body);
    case 'google-gemini':
      return geminiTelling([body]);
  }
}
