import { isRejection, type Rejection } from '@sluice/errors';
import type { JsonShape } from '@sluice/inference';
import type { RequestDefaults } from '../../policy/policy.ts';
import type { CanonicalCall } from '../../request/call.ts';
import type { ClientDialect, ParsedCall, ScannedBody } from '../dialect.ts';
import { scanBody, scanTurnBytes } from './json-body.ts';

type Parse<Call> = (
  body: Uint8Array,
  defaults: RequestDefaults,
  shape: JsonShape | undefined,
) => Call | Rejection;

/** Returns how a dialect scans a body, parses it and writes the answer to its call. */
export function scanning<Call extends CanonicalCall>(
  parse: Parse<Call>,
  writersFor: (
    call: Call,
    ...repeated: Parameters<ParsedCall['writers']>
  ) => ReturnType<ParsedCall['writers']>,
): ClientDialect['scan'] {
  const scanned = (body: Uint8Array, shape?: JsonShape): ScannedBody => ({
    parse(defaults) {
      const call = parse(body, defaults, shape);
      if (isRejection(call)) return call;
      return { call, writers: (...repeated) => writersFor(call, ...repeated) };
    },
  });
  return (body) =>
    body.byteLength > scanTurnBytes
      ? scanBody(body).then((shape) => scanned(body, shape))
      : scanned(body);
}
