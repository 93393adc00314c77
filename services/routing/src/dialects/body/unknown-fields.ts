import { eachUnknownField, type KnownFields, type UnknownField } from '@sluice/client-schemas';

const namedMax = 10;
const nameLengthMax = 64;
/** A name at a larger distance does not count as misspelled. */
const distanceMax = 2;

/**
 * Names at most ten fields of a body that have no effect, each with a similar known field. The text fits a header:
 * printable ASCII. Returns undefined if there are none.
 */
export function unknownFieldsWarning(body: object, known: KnownFields): string | undefined {
  const named: string[] = [];
  let more = 0;
  eachUnknownField(body, known, (field) => {
    if (named.length < namedMax) named.push(wordOf(field));
    else more += 1;
  });
  if (named.length === 0) return undefined;
  return named.join(', ') + (more > 0 ? ` and ${String(more)} more` : '');
}

function wordOf({ path, name, known }: UnknownField): string {
  const meant = nearest(name, known.keys());
  const shown = name.slice(0, nameLengthMax).replaceAll(/[^\w.-]/g, '?');
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return `unknown field ${path === '' ? '' : `${path}.`}${shown === '' ? "''" : shown}${hint}`;
}

function nearest(name: string, knownFields: Iterable<string>): string | undefined {
  // A short name has a low bound, because many short names are similar.
  const bound = Math.min(distanceMax, Math.floor(name.length / 3));
  let found: { readonly known: string; readonly distance: number } | undefined;
  for (const known of knownFields) {
    if (Math.abs(known.length - name.length) > bound) continue;
    const distance = distanceOf(name, known);
    if (distance <= bound && (found === undefined || distance < found.distance))
      found = { known, distance };
  }
  return found?.known;
}

/** Returns the edit distance with swaps of neighbors. The lengths differ by at most two. */
function distanceOf(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      let cost = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
      );
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && isSwapped) cost = Math.min(cost, at(before, column - 2) + 1);
      current.push(cost);
    }
    before = last;
    last = current;
  }
  return at(last, other.length);
}

function at(costs: readonly number[], index: number): number {
  const cost = costs[index];
  if (cost === undefined) throw new Error('invariant: the table of distances is whole');
  return cost;
}
