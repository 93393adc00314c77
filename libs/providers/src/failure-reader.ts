import type { Endpoint } from './endpoint.ts';
import { parseJson } from './json-reader.ts';
import { refusesSystemMessages } from './openai-chat/system-messages.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { BoundedBody } from './transport/body-reader.ts';
import type { Headers, ReplyReader } from './transport/conversation.ts';
import { headerOf } from './transport/headers.ts';
import type { Translator } from './translation.ts';
import { faultOf } from './upstream-fault.ts';

const failureBytesMax = 64 * 1024;

interface Refused {
  readonly endpoint: Endpoint;
  readonly translator: Pick<Translator, 'error'>;
}

/** Reads a refusal. A compressed body, which the request forbids, is ignored: the status is enough. */
export function failureReader(
  { endpoint, translator }: Refused,
  status: number,
  headers: Headers,
  isReadable: boolean,
): ReplyReader {
  const body = new BoundedBody(isReadable ? failureBytesMax : 0);
  return {
    type: 'failure',
    push: (chunk) => body.push(chunk),
    fault: () => {
      const text = body.text();
      const said = parseJson(text) ?? text;
      return faultOf(endpoint, translator.error(status, said), {
        refusesSystemMessages:
          endpoint.dialect === 'openai-chat' && refusesSystemMessages(status, said),
        cause: new Error(`HTTP ${String(status)}`),
        status,
        wait: retryAfterSeconds({
          retryAfter: headerOf(headers, 'retry-after'),
          retryAfterMs: headerOf(headers, 'retry-after-ms'),
          date: headerOf(headers, 'date'),
        }),
      });
    },
  };
}
