/** A reason why Sluice cannot start on this machine. The message is one sentence for the operator. */
export class SetupProblem extends Error {
  override readonly name = 'SetupProblem';
}
