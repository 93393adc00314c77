import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { EgressError } from '@sluice/egress';
import type { McpFailure } from './failure.ts';

const messageCharactersMax = 1_000;

/** Returns the failure that an error of the SDK means. `secrets` are the words that its message must not repeat. */
export function failureFrom(error: unknown, secrets: readonly string[]): McpFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof EgressError) return { failed: 'network', code: 0, message: cause.message };
    // The message of the SDK repeats the body, and a body may repeat the request.
    if (cause instanceof StreamableHTTPError && (cause.code ?? 0) > 0) return httpFailure(cause);
    if (cause instanceof McpError)
      return { failed: 'protocol', code: cause.code, message: cleared(cause.message, secrets) };
  }
  return { failed: 'protocol', code: 0, message: 'The answer of the server is not MCP' };
}

function httpFailure({ code = 0 }: StreamableHTTPError): McpFailure {
  return { failed: 'http', code, message: `The server answered with the status ${String(code)}` };
}

export const late: McpFailure = {
  failed: 'network',
  code: 0,
  message: 'The server did not answer in time',
};

/** Shorter words are no secrets, and stand in many texts. */
const secretCharactersMin = 6;

function cleared(message: string, secrets: readonly string[]): string {
  let text = message;
  for (const secret of secrets)
    if (secret.length >= secretCharactersMin) text = text.replaceAll(secret, '[redacted]');
  return text.slice(0, messageCharactersMax).toWellFormed();
}
