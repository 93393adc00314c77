import { BadRequest } from './prompt.ts';

/** Refuses names of tools that the API does not accept, and names that come twice. Throws BadRequest. */
export function checkToolNames(
  names: readonly unknown[],
  pattern: RegExp,
  { place, repeated }: { readonly place: (index: number) => string; readonly repeated: string },
): void {
  for (const [index, name] of names.entries())
    if (typeof name === 'string' && !pattern.test(name))
      throw new BadRequest(`Invalid '${place(index)}': string does not match pattern ${pattern}`);
  if (new Set(names).size < names.length) throw new BadRequest(repeated);
}
