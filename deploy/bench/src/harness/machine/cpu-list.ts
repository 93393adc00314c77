/** `0-2,5` as the kernel writes it → 0, 1, 2, 5. */
export function parseCpuList(text: string): readonly number[] {
  return text
    .trim()
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [first = '', last = first] = part.split('-');
      const from = Number(first);
      return Array.from({ length: Number(last) - from + 1 }, (_, index) => from + index);
    });
}

/** Which processors run what. */
export interface Placement {
  /** The processor of the measured subject, which nothing else uses. */
  readonly subject: readonly number[];
  readonly upstream: readonly number[];
  readonly load: readonly number[];
  /** The rest, as PostgreSQL and NATS. */
  readonly others: readonly number[];
}

/** One processor for what is measured alone, the others for what stands around it; undefined with one only. */
export function placementOn(cpus: readonly number[]): Placement | undefined {
  const [first, second, third, ...more] = cpus;
  if (first === undefined || second === undefined) return undefined;
  return {
    subject: [first],
    upstream: [second],
    load: [third ?? second],
    others: more.length > 0 ? more : [third ?? second],
  };
}
