/** Returns a text as a header carries it: headers hold bytes, and names in other letters are sent as UTF-8. */
export function headerText(text: string): string {
  return Buffer.from(text).toString('latin1');
}
