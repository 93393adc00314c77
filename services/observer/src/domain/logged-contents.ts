import type { Sealed } from './sealed-text.ts';

/** Sealed contents of a generation, which are stored for its workspace. */
export interface LoggedContents {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly generationId: string;
  /** The member that made the key. Empty: no member did. */
  readonly userId: string;
  readonly sealed: Sealed;
}

/** The key that asks for contents, if it is a regular one. */
export interface ContentReader {
  readonly workspaceId: string;
  /** The member that made it. Empty: no member did. */
  readonly userId: string;
}

/** Returns the id of the record that stored contents are sealed for. */
export const loggedRecordId = (generationId: string) => `logged/${generationId}`;

/** A management key reads all contents of its account. A regular key reads those of its member, in its workspace. */
export function mayRead(
  reader: ContentReader | undefined,
  { workspaceId, userId }: Pick<LoggedContents, 'workspaceId' | 'userId'>,
): boolean {
  if (!reader) return true;
  return reader.workspaceId === workspaceId && reader.userId === userId;
}
