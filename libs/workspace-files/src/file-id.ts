import { derivedId } from '@sluice/clock-and-ids';

const prefixes = { file: 'svc_file_', export: 'svc_export_' } as const;

/** Begins the id of an export of analytics. Only a management key sees such a file. */
export const exportIdPrefix = prefixes.export;

export const fileIdForm = /^svc_(?:file|export)_[0-9a-f]{32}$/;

/** Returns the id of the file that a command makes. The id says what the file is. */
export function fileIdOf(commandId: string, { isExport }: { readonly isExport: boolean }): string {
  const prefix = isExport ? prefixes.export : prefixes.file;
  return `${prefix}${derivedId('file', commandId).replaceAll('-', '')}`;
}

/** Returns true for a file that a call without `includes_exports` does not see. */
export function isExportId(fileId: string): boolean {
  return fileId.startsWith(prefixes.export);
}
