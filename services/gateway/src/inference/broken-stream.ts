import type { Fault } from '@sluice/errors';
import type { ClientDialectName } from '@sluice/inference-port';
import { errorFormats } from '@sluice/client-errors';

/** A stream of events, as far as its client has got it. */
export interface SentStream {
  readonly dialect: ClientDialectName;
  readonly generationId: string | undefined;
  /** The last bytes that were sent, the end of an event. Comments do not count. */
  readonly last: string;
}

const done = 'data: [DONE]\n\n';
const messageStop = 'event: message_stop\n';
const sequenceNumber = /"sequence_number":(\d+)/g;

/**
 * Returns what ends a stream that broke between two events, in the format of its client: an error, and the end that
 * each stream has (contract inference.md 11.5). Nothing if only the end of the connection is missing.
 */
export function endOfBroken(fault: Fault, { dialect, generationId, last }: SentStream): string {
  if (last.endsWith(done) || last.includes(messageStop)) return '';
  if (dialect === 'messages')
    return `event: error\n${data(errorFormats.anthropic(fault, { generationId }))}`;
  const { error } = errorFormats.service(fault);
  if (dialect === 'chat-completions') {
    const ended = { delta: {}, finish_reason: 'error', native_finish_reason: null };
    const choices = [{ index: 0, ...ended }];
    const chunk = { id: generationId, object: 'chat.completion.chunk', choices };
    return data(chunk) + data({ error }) + done;
  }
  const [event] = [...last.matchAll(sequenceNumber)].slice(-1);
  const failure = {
    type: 'error',
    code: 'server_error',
    message: error.message,
    param: null,
    sequence_number: event ? Number(event[1]) + 1 : 0,
  };
  return `event: error\n${data(failure)}${done}`;
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
