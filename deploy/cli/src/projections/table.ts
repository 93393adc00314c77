const gap = '  ';
/** A column that is made narrower keeps so much. */
const columnWidthMin = 8;

/**
 * Lines with the columns under each other. Where they are wider than the terminal, the widest columns are cut:
 * each line stays one line.
 */
export function tableOf(
  rows: readonly (readonly string[])[],
  widthMax = Number.POSITIVE_INFINITY,
): readonly string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  narrow(widths, widthMax - gap.length * (columns - 1));
  return rows.map((row) =>
    row
      .map((cell, column) => cut(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

/** Takes from the widest column, again and again, until all fit or none can be narrower. */
function narrow(widths: number[], widthMax: number): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) - widthMax;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const width = widths[widest] ?? 0;
    if (width <= columnWidthMin) return;
    const others = widths.filter((_, column) => column !== widest);
    const taken = Math.max(1, Math.min(excess, width - Math.max(columnWidthMin, ...others)));
    widths[widest] = width - taken;
    excess -= taken;
  }
}

function cut(cell: string, width: number): string {
  return cell.length > width ? `${cell.slice(0, Math.max(0, width - 1))}…` : cell;
}
