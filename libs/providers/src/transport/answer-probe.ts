import { errorObject } from '../error-object.ts';
import { parseJson } from '../json-reader.ts';
import { publicMessage } from '../upstream-error.ts';
import { BoundedBody, type BodyReader } from './body-reader.ts';
import type { ReplyReader } from './conversation.ts';

/** Learns how an answer came. */
export interface AnswerProbe {
  /** Gets the model that the answer says it is from, at most once. */
  named(model: string): void;
  /** The answer is a stream of events. */
  streamed(): void;
  /** Gets the message of a refusal. It may repeat the key. */
  refused(message: string): void;
}

/** Returns a reader that tells the probe about the answer. Without a probe it is the same one. */
export function probedReader(
  reader: ReplyReader,
  probe: AnswerProbe | undefined,
  isEventStream: () => boolean,
): ReplyReader {
  if (!probe) return reader;
  if (reader.type === 'failure') return refusalReader(reader, probe);
  if (isEventStream()) probe.streamed();
  return { ...reader, body: namingReader(reader.body, (model) => probe.named(model)) };
}

/** The name stands near the begin of an answer in all dialects. */
const readCharactersMax = 64 * 1024;
const namePattern = /"(?:model|modelVersion)"\s*:\s*"((?:[^"\\]|\\.){1,512})"/;

const refusalBytesMax = 8 * 1024;

function refusalReader(
  reader: Extract<ReplyReader, { type: 'failure' }>,
  probe: AnswerProbe,
): ReplyReader {
  const body = new BoundedBody(refusalBytesMax);
  return {
    ...reader,
    push(chunk) {
      body.push(chunk);
      return reader.push(chunk);
    },
    fault() {
      const text = body.text();
      const message = publicMessage(errorObject(parseJson(text) ?? text)['message']);
      if (message !== undefined) probe.refused(message);
      return reader.fault();
    },
  };
}

/** Reads a body like another reader and reports the model that the answer says it is from, once. */
function namingReader(body: BodyReader, onModel: (model: string) => void): BodyReader {
  let text = '';
  let isDone = false;
  return {
    end: () => body.end(),
    unreadBytes: () => body.unreadBytes(),
    push(chunk) {
      if (!isDone) {
        text += Buffer.from(chunk).toString('latin1');
        const [, name] = namePattern.exec(text) ?? [];
        isDone = name !== undefined || text.length > readCharactersMax;
        if (name !== undefined) onModel(nameOf(name));
        if (isDone) text = '';
      }
      return body.push(chunk);
    },
  };
}

function nameOf(written: string): string {
  const quoted = `"${Buffer.from(written, 'latin1').toString()}"`;
  try {
    return String(JSON.parse(quoted));
  } catch {
    return written;
  }
}
