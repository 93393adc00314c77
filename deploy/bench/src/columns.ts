/** Aligns the cells of a table: those in these columns to the right, all but the first by default. */
export function columns(
  lines: readonly (readonly string[])[],
  rightOnes: readonly number[] = lines.flatMap((line) => [...line.keys()]).filter(Boolean),
): string {
  const widthOf = (column: number) => Math.max(...lines.map((line) => line[column]?.length ?? 0));
  const right = new Set(rightOnes);
  return lines
    .map((line) =>
      line
        .map((cell, column) => {
          const width = widthOf(column);
          return right.has(column) ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
