import { Type, type Static } from 'typebox';

export const limitDefault = 50;

export const offset = Type.Optional(
  Type.String({
    pattern: '^\\d{1,9}$',
    mustBe: 'a whole number of 1 to 9 digits',
    description: 'How many to leave out.',
  }),
);

/** The query of every paged list except `/keys`. Query values are text: nothing is coerced. */
export const pageFields = {
  offset,
  limit: Type.Optional(
    Type.String({
      pattern: '^(?:[1-9]\\d?|100)$',
      mustBe: 'a whole number from 1 to 100; 50 when it is left out',
      description: 'How many to list; 50 when it is left out.',
      examples: [25],
    }),
  ),
};
const pageQuery = Type.Object(pageFields);

/** The page that a checked query asks for. */
export function pageOf({ offset: skipped, limit }: Static<typeof pageQuery>) {
  return { offset: Number(skipped ?? 0), limit: Number(limit ?? limitDefault) };
}
