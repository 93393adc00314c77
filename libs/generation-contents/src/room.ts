/** The number of characters that contents may still have. */
export class Room {
  #left: number;
  #isCut = false;

  constructor(characters: number) {
    this.#left = characters;
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** Returns as much of the text as there is room for. A cut text says how much is missing. */
  take(text: string): string {
    if (text.length <= this.#left) {
      this.#left -= text.length;
      return text.toWellFormed();
    }
    this.#isCut = true;
    const kept = text.slice(0, this.#left).toWellFormed();
    this.#left = 0;
    return `${kept}… [${String(text.length - kept.length)} characters left out]`;
  }

  /** Takes room for all of it, or for nothing. */
  fits(characters: number): boolean {
    if (characters > this.#left) {
      this.#isCut = true;
      return false;
    }
    this.#left -= characters;
    return true;
  }
}
