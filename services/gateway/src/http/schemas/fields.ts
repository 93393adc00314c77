import { amountNanoUsdMax } from '@sluice/amounts';
import { nanoUsdToNumber } from '@sluice/inference';
import { Type, type TSchema } from 'typebox';

export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** SHA-256 in hex: the handle of a key. */
export const keyHash = /^[0-9a-f]{64}$/;
const keyNameCharactersMax = 200;
const externalUserCharactersMax = 256;
const userIdLengthMax = 128;
export const limitUsdMax = nanoUsdToNumber(amountNanoUsdMax);

/** Control characters and halves of surrogate pairs have no place in a name. */
export const writable = String.raw`^[^\p{Cc}\p{Cs}]*$`;

export const keyName = Type.String({
  minLength: 1,
  maxLength: keyNameCharactersMax,
  pattern: writable,
  mustBe: `a text of 1 to ${keyNameCharactersMax} characters without control characters`,
});
export const externalUser = Type.String({
  minLength: 1,
  maxLength: externalUserCharactersMax,
  pattern: writable,
  mustBe: `a text of 1 to ${externalUserCharactersMax} characters without control characters`,
});
export const suppliedApiKey = Type.String({
  pattern: '^[\\x21-\\x7e]{32,512}$',
  mustBe: 'a secret of 32 to 512 printable ASCII characters without spaces',
});
export const limitUsd = nullable(
  Type.Number({
    minimum: 0,
    maximum: limitUsdMax,
    mustBe: `an amount of USD from 0 to ${limitUsdMax}, or null`,
  }),
);
export const limitReset = nullable(
  Type.Enum(['daily', 'weekly', 'monthly'] as const, { type: 'string' }),
);
export const workspaceId = Type.String({
  format: 'uuid',
  maxLength: 36,
  mustBe: 'the UUID of a workspace',
});
export const userId = nullable(
  Type.String({
    minLength: 1,
    maxLength: userIdLengthMax,
    mustBe: 'the id of a user, or null',
  }),
);
/** UTC with seconds; a fraction is allowed, another offset is not. */
export const utcInstant = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$',
  format: 'date-time',
  mustBe: 'an ISO 8601 time in UTC with seconds, like 2030-01-31T12:00:00Z, or null',
});
export const closed = { additionalProperties: false } as const;
