/** The top-level fields of `POST /responses` that are read, or refused by their name. */
const knownFields: ReadonlySet<string> = new Set(
  `
  background cache_control conversation debug frequency_penalty image_config include input instructions
  max_output_tokens max_tool_calls metadata modalities model models n parallel_tool_calls plugins presence_penalty
  preset previous_response_id prompt prompt_cache_key prompt_cache_options provider reasoning route
  safety_identifier service_tier session_id stop_server_tools_when store stream temperature text tool_choice tools
  top_k top_logprobs top_p trace truncation user
  `
    .trim()
    .split(/\s+/),
);

const toldMax = 10;
const nameLengthMax = 64;
/** A name further away than this is not a misspelt one. */
const distanceMax = 2;

/**
 * Names the top-level fields of a body that have no effect, with the field that may be meant, as the text of a
 * header: printable ASCII, at most ten of them. undefined: there are none.
 */
export function unknownFieldsWarning(body: Readonly<Record<string, unknown>>): string | undefined {
  const told: string[] = [];
  let more = 0;
  for (const name in body) {
    if (knownFields.has(name)) continue;
    if (told.length < toldMax) told.push(wordOf(name));
    else more += 1;
  }
  if (told.length === 0) return undefined;
  return told.join(', ') + (more > 0 ? ` and ${String(more)} more` : '');
}

function wordOf(name: string): string {
  const meant = nearest(name);
  const shown = name.slice(0, nameLengthMax).replaceAll(/[^\w.-]/g, '?');
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return `unknown field ${shown === '' ? "''" : shown}${hint}`;
}

function nearest(name: string): string | undefined {
  // The bound of a short name is low: otherwise every second name would be a neighbor.
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

/** Letters to add, drop, change or swap with their neighbor. The lengths are at most two apart. */
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
