/** A generation that a receiver took. */
export interface Taken {
  readonly id: string;
  readonly hasContents: boolean;
}
