import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { chatTelling } from './dialects/chat.ts';
import { geminiTelling } from './dialects/gemini.ts';
import { messagesTelling, wholeMessageTelling } from './dialects/messages.ts';
import { recordedResponse, responsesTelling, terminalResponse } from './dialects/responses.ts';
import { type Json, list, object, parsed, text } from './json.ts';
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

/** A file that is no answer. */
export interface Unread {
  readonly name: string;
  readonly reason: string;
}

export interface Recordings {
  readonly recordings: readonly Recording[];
  readonly unread: readonly Unread[];
}

/** Reads the recordings of a folder, one a file: a JSON event a line, lines of an event stream, or one JSON. */
export async function readRecordings(folder: string): Promise<Recordings> {
  const names = await readdir(folder, { recursive: true });
  const recordings: Recording[] = [];
  const unread: Unread[] = [];
  for (const name of names.filter((one) => extensions.includes(extname(one))).toSorted())
    try {
      recordings.push(recordingOf(name, await readFile(join(folder, name), 'utf8')));
    } catch (error) {
      unread.push({ name, reason: error instanceof Error ? error.message : String(error) });
    }
  return { recordings, unread };
}

/** Reads one recording. Throws if its content is no complete answer of a known dialect. */
export function recordingOf(name: string, content: string): Recording {
  const whole = parsed(content);
  const events = whole ? [whole] : (arrayOf(content) ?? eventsOf(content));
  if (events.length === 0) throw new Error('it has no JSON object');
  const dialect = dialectOf(events);
  if (events.some(isError)) throw new Error('it is an error');
  if (!dialect) throw new Error('no known dialect has such an answer');
  if (!events.some(isEnd)) throw new Error('the answer has no end');
  if (whole && !isEvent(whole)) {
    const telling = wholeTelling(dialect, whole);
    return { name, dialect, events: undefined, body: content, telling };
  }
  const last = dialect === 'openai-responses' ? recordedResponse(events) : undefined;
  return {
    name,
    dialect,
    events: events.map((event) => JSON.stringify(event)),
    body: last && JSON.stringify(last),
    telling: streamTelling(dialect, events),
  };
}

/** Reads the list that Gemini sends in place of an event stream. */
function arrayOf(content: string): readonly Json[] | undefined {
  if (!content.trimStart().startsWith('[')) return undefined;
  try {
    return list(JSON.parse(content));
  } catch {
    return undefined;
  }
}

function eventsOf(content: string): readonly Json[] {
  return content
    .split('\n')
    .map((line) => line.replace(/^data:/, '').trim())
    .map(parsed)
    .filter((event) => event !== undefined);
}

/** Returns true for a whole response. Some servers leave `object` out. */
function isResponse({ object: kind, output, status }: Json): boolean {
  return kind === 'response' || (Array.isArray(output) && typeof status === 'string');
}

function isError(event: Json): boolean {
  const { error, type, status } = event;
  const isFailed = type === 'response.failed' || (isResponse(event) && status === 'failed');
  return isFailed || type === 'error' || (error !== undefined && error !== null);
}

/** Returns true for a whole answer, and for the event that says how an answer ended. */
function isEnd(event: Json): boolean {
  const candidate = list(event['candidates'])[0] ?? {};
  const reasons = [
    ...list(event['choices']).map((choice) => choice['finish_reason']),
    event['stop_reason'],
    object(event['delta'])['stop_reason'],
    candidate['finishReason'],
    object(event['promptFeedback'])['blockReason'],
  ];
  const isWhole = isResponse(event) || terminalResponse([event]) !== undefined;
  return isWhole || reasons.some((reason) => text(reason) !== '');
}

function isEvent(one: Json): boolean {
  return text(one['type']).startsWith('response.') || one['object'] === 'chat.completion.chunk';
}

/** Returns the dialect whose fields the first telling event has. */
function dialectOf(events: readonly Json[]): Dialect | undefined {
  for (const event of events) {
    const type = text(event['type']);
    if (type.startsWith('response.') || isResponse(event)) return 'openai-responses';
    if (type === 'message' || type.startsWith('message_')) return 'anthropic-messages';
    if (Array.isArray(event['choices'])) return 'openai-chat';
    if (Array.isArray(event['candidates']) || event['promptFeedback']) return 'google-gemini';
  }
  return undefined;
}

function streamTelling(dialect: Dialect, events: readonly Json[]): Telling {
  switch (dialect) {
    case 'openai-responses':
      return responsesTelling(recordedResponse(events) ?? {});
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
