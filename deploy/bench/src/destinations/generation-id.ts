/** Names a generation by the time of its end, so that a receiver knows its age. */
export const idOf = (endMs: number, number: number) =>
  `gen-${endMs}-${String(number).padStart(9, '0')}`;

export const idPattern = /gen-\d{13}-\d{9}/g;

/** Returns the time of the end. */
export const endOf = (id: string) => Number(id.slice(4, 17));
