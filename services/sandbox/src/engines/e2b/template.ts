import type { BoxLimits } from '../../engine/limits.ts';

/** The resources of a sandbox, which its template fixes. */
export interface TemplateSize {
  readonly cpuCount: number;
  readonly memoryMB: number;
}

const mebibyte = 1_048_576;
/** Memory of the virtual machine itself. */
const ownMemoryMiB = 512;

/** Returns the reason why a template does not keep the limits of the settings. */
export function problemOfTemplate(
  { cpuCount, memoryMB }: TemplateSize,
  { cpus, memoryBytes, homeBytes }: BoxLimits,
): string | undefined {
  const wanted = Math.ceil((memoryBytes + homeBytes) / mebibyte);
  const has = `the template has ${cpuCount} processors and ${memoryMB} MiB of memory`;
  const promised = `the settings promise ${cpus} and ${wanted} (SLUICE_SANDBOX_CPUS, _MEMORY_MIB and _HOME_MIB)`;
  if (cpuCount < cpus || memoryMB < wanted) return `${has}, which is less: ${promised}`;
  if (cpuCount > Math.ceil(cpus) || memoryMB > wanted + ownMemoryMiB)
    return `${has}, which is more: ${promised}`;
  return undefined;
}
