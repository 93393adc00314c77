import { amountNanoUsdMax } from '@sluice/amounts';
import { nanoUsdToNumber } from '@sluice/inference';
import { type TSchema, Type } from 'typebox';
import { instant, uuid } from './examples.ts';

/** Adds null to a schema. The description and the example of the schema are those of the field. */
export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** Returns the fields as those that may be left out. */
export const optional = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Partial(Type.Object(fields)).properties;

const shown = (description: string, examples: readonly unknown[]) => ({
  description,
  ...(examples.length > 0 && { examples }),
});

// Fields of answers: what the field means, and an example where `text`, true or 0 is none.
export const text = (description: string, ...example: readonly string[]) =>
  Type.String(shown(description, example));
export const flag = (description: string, ...example: readonly boolean[]) =>
  Type.Boolean(shown(description, example));
export const number = (description: string, ...example: readonly number[]) =>
  Type.Number(shown(description, example));
export const whole = (description: string, ...example: readonly number[]) =>
  Type.Integer(shown(description, example)); /** A whole number from 0 on. */
export const count = (description: string, ...example: readonly number[]) =>
  Type.Integer({ minimum: 0, ...shown(description, example) });

export const oneOf = <const Words extends string[]>(
  words: Words,
  description: string,
  ...example: readonly string[]
) => Type.Enum<Words>(words, { type: 'string', ...shown(description, example) });

/** Query values are text: nothing is coerced. The API's description shows a boolean. */
export const truth = (description: string) => oneOf(['true', 'false'], description);

export const createdAt = text('When it was created, in UTC.', instant);
export const updatedAt = text('When it was changed last, in UTC; null: never.', instant);

/** SHA-256 in hex: the handle of a key. */
export const keyHash = /^[0-9a-f]{64}$/;
const keyNameCharactersMax = 200;
const externalUserCharactersMax = 256;
const userIdLengthMax = 128;
export const limitUsdMax = nanoUsdToNumber(amountNanoUsdMax);

/** Control characters and halves of surrogate pairs have no place in a name. */
export const writable = String.raw`^[^\p{Cc}\p{Cs}]*$`;
const name = shown('A name for people.', ['Nightly reports']);

export const keyName = Type.String({
  minLength: 1,
  maxLength: keyNameCharactersMax,
  pattern: writable,
  mustBe: `a text of 1 to ${keyNameCharactersMax} characters without control characters`,
  ...name,
});
export const externalUser = Type.String({
  minLength: 1,
  maxLength: externalUserCharactersMax,
  pattern: writable,
  mustBe: `a text of 1 to ${externalUserCharactersMax} characters without control characters`,
  ...shown("The partner's name for its user.", ['customer-7']),
});
export const suppliedApiKey = Type.String({
  writeOnly: true,
  pattern: '^[\\x21-\\x7e]{32,512}$',
  mustBe: 'a secret of 32 to 512 printable ASCII characters without spaces',
  ...shown('The secret that the partner has already given out.', [
    'a-secret-of-at-least-32-characters',
  ]),
});
export const limitUsd = nullable(
  Type.Number({
    minimum: 0,
    maximum: limitUsdMax,
    mustBe: `an amount of USD from 0 to ${limitUsdMax}, or null`,
    ...shown('What it may spend, in USD; null: no limit.', [25]),
  }),
);
export const limitReset = nullable(
  oneOf(
    ['daily', 'weekly', 'monthly'],
    'The period after which the limit is whole again; null: never.',
    'monthly',
  ),
);
export const workspaceId = Type.String({
  format: 'uuid',
  maxLength: 36,
  mustBe: 'the UUID of a workspace',
  ...shown('Id of the workspace.', [uuid]),
});
export const userId = nullable(
  Type.String({
    minLength: 1,
    maxLength: userIdLengthMax,
    mustBe: 'the id of a user, or null',
    ...shown('Id of the member it belongs to.', ['user_1']),
  }),
);
/** UTC with seconds; a fraction is allowed, another offset is not. */
export const utcInstant = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$',
  format: 'date-time',
  mustBe: 'an ISO 8601 time in UTC with seconds, like 2030-01-31T12:00:00Z, or null',
  ...shown('When it stops working, in UTC; null: never.', ['2027-01-31T00:00:00Z']),
});
/** The instant of a question about the past. Text, because a query has nothing else. */
export const pastInstant = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$',
  format: 'date-time',
  mustBe:
    'a past instant, an ISO 8601 time in UTC with seconds like 2026-01-31T12:00:00Z; now when absent',
  ...shown('A past instant in UTC; now when absent.', [instant]),
});
export const closed = { additionalProperties: false } as const;
