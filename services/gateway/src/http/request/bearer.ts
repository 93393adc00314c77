const pattern = /^bearer +(\S+)$/i;

/** The secret of an `Authorization` header; undefined when it carries none. */
export function bearerOf(header: string | undefined): string | undefined {
  return pattern.exec(header?.trim() ?? '')?.[1];
}
