import type { Rule } from '../rule.ts';
import { harassment } from './harassment.ts';
import { hate } from './hate.ts';
import { illicit } from './illicit.ts';
import { selfHarm } from './self-harm.ts';
import { sexual } from './sexual.ts';
import { sexualMinors } from './sexual-minors.ts';
import { violence } from './violence.ts';

/** All rules of the classifier. It reads English. */
export const rules: readonly Rule[] = [
  ...sexualMinors,
  ...violence,
  ...hate,
  ...selfHarm,
  ...illicit,
  ...sexual,
  ...harassment,
];
