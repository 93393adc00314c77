import type { Fault } from '@sluice/errors';
import { errorEnvelope } from './envelope.ts';
import type { ClientApplication } from '@sluice/inference-port';

/** Reads `codex_exec/0.169.0`, `codex_cli_rs/…`, `codex_vscode/…`, `Codex Desktop/…`. */
export function isCodex(client: ClientApplication | undefined): boolean {
  return /^codex[ _\w-]{0,40}\//i.test(client?.userAgent ?? '');
}

/**
 * Returns the body of an error for Codex. It compacts its conversation when it reads this word as the code, and nothing
 * else. Any other error has the usual body.
 */
export function codexErrorEnvelope(fault: Fault): object {
  const usual = errorEnvelope(fault);
  if (fault.code !== 'context_length_exceeded') return usual;
  return { error: { ...usual.error, code: fault.code, type: 'invalid_request_error' } };
}
