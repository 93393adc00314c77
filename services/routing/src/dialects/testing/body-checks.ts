import { ok } from 'node:assert/strict';
import { isRejection, type Rejection } from '@sluice/errors';

export type Body = Readonly<Record<string, unknown>>;

/** Ways to look at what a dialect makes of a body: the fields of `base`, and those that a test gives. */
export function bodyChecks<Call extends object>(
  base: Body,
  parse: (body: Uint8Array) => Call | Rejection,
) {
  const parsed = (body: Body) => parse(Buffer.from(JSON.stringify({ ...base, ...body })));
  return {
    accepted: (body: Body): Call => {
      const call = parsed(body);
      ok(!isRejection(call), JSON.stringify(call));
      return call;
    },
    /** Each problem as `path: message`. */
    issues: (body: Body): readonly string[] => {
      const call = parsed(body);
      ok(isRejection(call), 'the body is accepted');
      const { issues } = call.metadata as { issues: { path: string; message: string }[] };
      return issues.map(({ path, message }) => `${path}: ${message}`);
    },
  };
}
