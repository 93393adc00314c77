/** Returns a PDF that has one page for each text. */
export function pdfOf(texts: readonly string[], title = ''): Buffer {
  const kids = texts.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const bodies = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...texts.flatMap((text, index) => {
      const drawn = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * index} 0 R
           /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
      ];
    }),
    `<< /Title (${title}) >>`,
  ];
  return pdfOfObjects(bodies.map((body) => Buffer.from(body, 'latin1')));
}

/** Returns a PDF of these objects. The first is its catalog, the last describes it. */
export function pdfOfObjects(bodies: readonly Buffer[]): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [index, body] of bodies.entries()) {
    offsets.push(length);
    const part = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      body,
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = bodies.length + 1;
  const trailer = `<< /Size ${count} /Root 1 0 R /Info ${bodies.length} 0 R >>`;
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n${trailer}\nstartxref\n${length}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}
