/** A rebuild or comparison that cannot be: the message is a sentence for whoever asked for it. */
export class RebuildRefused extends Error {
  override readonly name = 'RebuildRefused';
}
