/** A part of a text, with the index of its text. */
export interface Piece {
  readonly index: number;
  readonly text: string;
}

/** Yields the texts in pieces that overlap: what is cut apart by the end of one piece is whole in the next. */
export function* piecesOf(
  texts: readonly string[],
  { charactersMax, overlap }: { readonly charactersMax: number; readonly overlap: number },
): Generator<Piece> {
  for (const [index, text] of texts.entries()) {
    let start = 0;
    while (start + charactersMax < text.length) {
      yield { index, text: text.slice(start, start + charactersMax) };
      start += charactersMax - overlap;
    }
    yield { index, text: text.slice(start) };
  }
}
