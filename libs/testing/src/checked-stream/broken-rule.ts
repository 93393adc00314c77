/** A stream broke a rule: a bug of its writer. */
export class BrokenRule extends Error {
  override readonly name = 'BrokenRule';
  readonly rule: string;

  constructor(rule: string, message: string) {
    super(message);
    this.rule = rule;
  }
}

/** Throws BrokenRule unless the condition holds. `what` is only made when it does not. */
export type Check<Rule extends string> = (
  rule: Rule,
  holds: boolean,
  what: () => string,
) => asserts holds;

/** Makes the check of a list of rules, each by its name. */
export function checkOf<Rule extends string>(rules: Readonly<Record<Rule, string>>): Check<Rule> {
  return (rule, holds, what) => {
    if (!holds) throw new BrokenRule(rule, `${rule} (${rules[rule]}): ${what()}`);
  };
}
