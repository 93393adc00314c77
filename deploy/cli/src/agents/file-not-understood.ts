/** The file holds what we cannot change safely; the message is a sentence. */
export class FileNotUnderstood extends Error {
  override readonly name = 'FileNotUnderstood';
}
