/** Returns the warnings as one header text, in the form of a field of a call. */
export function joinWarnings(...texts: readonly (string | undefined)[]): { warning?: string } {
  const warnings = texts.filter((text) => text !== undefined);
  return warnings.length > 0 ? { warning: warnings.join('; ') } : {};
}
