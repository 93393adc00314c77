/** A source that the generator does not understand, or sources that contradict each other. */
export class DocumentationProblem extends Error {
  override readonly name = 'DocumentationProblem';
}
