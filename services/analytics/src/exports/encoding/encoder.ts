import type { Cell } from '../../store/export-source.ts';

/** Writes rows into a file, piece by piece. */
export interface Encoder {
  /** Takes rows, and returns the bytes that are complete now. */
  add(rows: readonly (readonly Cell[])[]): Uint8Array;
  /** Returns the last bytes of the file. */
  end(): Uint8Array;
}
