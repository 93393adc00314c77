import { Type } from 'typebox';

/** Makes a retried POST the same command; chosen by the client. */
export const idempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[\\x20-\\x7e]{1,255}$',
      mustBe: '1 to 255 printable ASCII characters',
    }),
  ),
});
