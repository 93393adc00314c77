/** The change of one file, in the words of `apply_patch_call` (contract inference.md 4). */
export type PatchOperation =
  | {
      readonly type: 'create_file' | 'update_file';
      readonly path: string;
      readonly diff: string;
    }
  | { readonly type: 'delete_file'; readonly path: string };

const updateMarkers = /^(?:[ +-]|@@|\*\*\* End of File$)/;

/** Returns why an operation is no patch in the V4A dialect. undefined: it is one. The file itself is not looked at. */
export function patchProblem(operation: PatchOperation): string | undefined {
  if (operation.path.trim() === '') return 'the path is empty';
  switch (operation.type) {
    case 'delete_file':
      return undefined;
    case 'create_file':
      return lineProblem(operation.diff, /^\+/, 'every line of a new file must begin with "+"');
    case 'update_file':
      return updateProblem(operation.diff);
  }
}

function updateProblem(diff: string): string | undefined {
  const problem = lineProblem(
    diff,
    updateMarkers,
    'every line of an update must begin with " ", "+", "-" or "@@"',
  );
  if (problem !== undefined || /^[+-]/m.test(diff)) return problem;
  return 'the update changes no line';
}

/** Names the first line without the marker. The end of the last line begins none. */
function lineProblem(diff: string, marker: RegExp, rule: string): string | undefined {
  const lines = diff.replace(/\r?\n$/, '').split('\n');
  const index = lines.findIndex((line) => !marker.test(line));
  return index === -1 ? undefined : `line ${String(index + 1)}: ${rule}`;
}
