/** A rebuild or comparison that is impossible. The message is a sentence for the operator. */
export class RebuildRefused extends Error {
  override readonly name = 'RebuildRefused';
}
