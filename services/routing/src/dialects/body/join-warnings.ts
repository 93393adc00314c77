/** Returns the warnings as one header text, in the form of a field of a call. */
export function joinWarnings(...texts: readonly (string | undefined)[]): { warning?: string } {
  let warning: string | undefined;
  for (const text of texts)
    if (text !== undefined) warning = warning === undefined ? text : `${warning}; ${text}`;
  return warning === undefined ? {} : { warning };
}
