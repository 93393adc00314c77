/**
 * Returns the milliseconds of processor time that a run of the work takes, as the mean of so many. Work of other
 * programs on the machine is not in it. The first runs, which wait for the compiler, are left out.
 */
export function processorMsOf(work: () => unknown, { runs, warmUps }: Runs): number {
  for (let run = 0; run < warmUps; run += 1) work();
  const before = process.threadCpuUsage();
  for (let run = 0; run < runs; run += 1) work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000 / runs;
}

export interface Runs {
  readonly runs: number;
  readonly warmUps: number;
}
