import { Fields } from './fields.ts';
import type { Issues } from './issues.ts';

/** `debug`: whether the client wants to see what goes to each provider. Of streams alone. */
export function parseDebug(body: Fields, issues: Issues): boolean {
  const debug = body.object('debug');
  if (!debug) return false;
  const fields = new Fields(debug, { path: 'debug', issues });
  return fields.boolean('echo_upstream_body') ?? false;
}
