/** What keeps Sluice from starting on this machine: the message is one sentence for whoever starts it. */
export class SetupProblem extends Error {
  override readonly name = 'SetupProblem';
}
