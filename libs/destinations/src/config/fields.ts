import { type TSchema, Type } from 'typebox';

const textCharactersMax = 1_024;
const secretCharactersMax = 4_096;
const urlCharactersMax = 2_048;

/** A string of a form that `mustBe` puts into words. */
export interface FormedText {
  readonly description: string;
  readonly pattern: string;
  readonly mustBe: string;
  readonly example: string;
  readonly charactersMax?: number;
  readonly default?: string;
}

export const formed = ({ example, charactersMax, ...shown }: FormedText) =>
  Type.String({
    ...shown,
    minLength: 1,
    maxLength: charactersMax ?? textCharactersMax,
    examples: [example],
  });

/** A text without control characters: PostgreSQL and HTTP headers hold no others. */
export const text = (description: string, example: string, initial?: string) =>
  formed({
    description,
    pattern: String.raw`^[^\p{Cc}\p{Cs}]+$`,
    mustBe: `a text of 1 to ${textCharactersMax} characters without control characters`,
    example,
    ...(initial !== undefined && { default: initial }),
  });

/** The user of HTTP Basic: a colon would end it. */
export const basicUser = (description: string, example: string) =>
  formed({
    description,
    pattern: String.raw`^[^:\p{Cc}\p{Cs}]+$`,
    mustBe: `a text of 1 to ${textCharactersMax} characters without colons and control characters`,
    example,
  });

/** Marks a field whose value is masked in answers. */
export const hidden = <Schema extends TSchema>(schema: Schema): Schema =>
  Type.With(schema, { isSecret: true }) as unknown as Schema;

/** A secret that an HTTP header carries. */
export const secret = (description: string) =>
  hidden(
    formed({
      description,
      pattern: String.raw`^[\x21-\x7e]+$`,
      mustBe: `1 to ${secretCharactersMax} printable ASCII characters without spaces`,
      example: 'a-secret-of-the-receiver',
      charactersMax: secretCharactersMax,
    }),
  );

/** The URL of a receiver. Which addresses may be called is not a rule of its form. */
export const url = (description: string, example: string, initial?: string) => {
  const schema = formed({
    description,
    pattern: String.raw`^https?://[\x21-\x7e]+$`,
    mustBe: 'a URL that begins with https://',
    example,
    charactersMax: urlCharactersMax,
    ...(initial !== undefined && { default: initial }),
  });
  return Type.With(schema, { isUrl: true }) as unknown as typeof schema;
};

/** An unquoted name of a database object. */
export const identifier = (description: string, example: string, initial?: string) =>
  formed({
    description,
    pattern: '^[A-Za-z_][A-Za-z0-9_$]{0,254}$',
    mustBe: 'a name of letters, digits, _ and $ that begins with a letter or _',
    example,
    ...(initial !== undefined && { default: initial }),
  });
