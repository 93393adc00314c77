import { Type, type TSchema } from 'typebox';

export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** SHA-256 in hex: the handle of a key. */
export const keyHash = /^[0-9a-f]{64}$/;
const keyNameLengthMax = 200;
const userIdLengthMax = 128;
/** Far above any limit somebody means, and exact as nano-USD in 64 bits. */
const limitUsdMax = 1_000_000_000;

export const keyName = Type.String({ minLength: 1, maxLength: keyNameLengthMax });
export const limitUsd = nullable(Type.Number({ minimum: 0, maximum: limitUsdMax }));
export const limitReset = nullable(
  Type.Enum(['daily', 'weekly', 'monthly'] as const, { type: 'string' }),
);
export const workspaceId = Type.String({ format: 'uuid', maxLength: 36 });
export const userId = nullable(Type.String({ minLength: 1, maxLength: userIdLengthMax }));
/** UTC with seconds; a fraction is allowed, another offset is not. */
export const utcInstant = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$',
  format: 'date-time',
});
export const closed = { additionalProperties: false } as const;
