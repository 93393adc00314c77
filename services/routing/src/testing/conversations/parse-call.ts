import { ok } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import { dialects } from '../../dialects/index.ts';
import type { CanonicalCall } from '../../request/call.ts';
import type { ConversationDialect } from './forms.ts';

/** Returns the call that a dialect makes of a body. */
export async function parseCall(
  dialect: ConversationDialect,
  body: object,
): Promise<CanonicalCall> {
  const scanned = await dialects[dialect].scan(Buffer.from(JSON.stringify(body)));
  const parsed = scanned.parse({});
  ok(!isRejection(parsed), `${dialect}: ${JSON.stringify(parsed)}`);
  return parsed.call;
}
