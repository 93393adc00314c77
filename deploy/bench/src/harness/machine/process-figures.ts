import { statOf } from '@sluice/testing/process-stat';

/** Processor time of these processes alone. */
export async function cpuMsOf(pids: readonly number[]): Promise<number> {
  const stats = await Promise.all(pids.map(statOf));
  return stats.reduce((sum, stat) => sum + (stat?.cpuMs ?? 0), 0);
}

/** Processor time of these processes, and of their children that ended. */
export async function familyCpuMsOf(pids: readonly number[]): Promise<number> {
  const stats = await Promise.all(pids.map(statOf));
  return stats.reduce((sum, stat) => sum + (stat?.cpuMs ?? 0) + (stat?.endedChildrenCpuMs ?? 0), 0);
}

export async function residentBytesOf(pids: readonly number[]): Promise<number> {
  const stats = await Promise.all(pids.map(statOf));
  return stats.reduce((sum, stat) => sum + (stat?.residentBytes ?? 0), 0);
}
