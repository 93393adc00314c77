import { Type } from 'typebox';
import { Compile } from 'typebox/compile';

/** A field of a result. It is checked when the result is taken over, so that one bad result costs no other. */
export const stated = Type.Optional(Type.Unknown());

/** Returns the texts of a list as one text. */
export function joinTexts(texts: unknown): string {
  if (!Array.isArray(texts)) return '';
  return texts
    .filter((text: unknown): text is string => typeof text === 'string' && text !== '')
    .join('\n\n');
}

/** Returns a reader of the id that an answer has in a field. An id of another shape is left out. */
export function idAt(name: string): (answer: unknown) => string | undefined {
  const withId = Compile(Type.Object({ [name]: Type.String({ pattern: '^[\\w.:-]{1,128}$' }) }));
  return (answer) => (withId.Check(answer) ? answer[name] : undefined);
}
