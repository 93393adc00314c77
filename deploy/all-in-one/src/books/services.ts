/** The services that live in the process of the books. All others live in the process that requests go through. */
export const bookServices = ['ledger', 'analytics', 'observer'] as const;

export type BookService = (typeof bookServices)[number];

/** Returns the setting that tells other services where this one answers. */
export function addressSetting(name: BookService): string {
  return `SLUICE_${name.toUpperCase()}_ADDRESS`;
}
