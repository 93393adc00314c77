import { rule, type Rule } from '../rule.ts';
import { ask, computing, play, safety } from './words.ts';

const support = `friend daughter son someone hotline prevention helpline squad awareness statistics research help
  support why signs symptoms warning novel song film laughing embarrassment =laughter process`;

/** The rules of the category self-harm. */
export const selfHarm: readonly Rule[] = [
  rule('self-harm', 'high', ['kill hang shoot drown stab =off', 1, 'myself']),
  rule('self-harm', 'high', ['end ending take taking', 1, 'my', 1, 'life'], 'story insurance'),
  rule(
    'self-harm',
    'high',
    ['want going wish', 2, 'to', 1, 'die'],
    'not dont never laughing embarrassment peacefully old novel character who',
  ),
  rule(
    'self-harm',
    'high',
    ['cut hurt burn starve harm =cutting', 2, 'myself'],
    'accidentally hair shaving cooking kitchen shoe loose paper off short',
  ),
  rule('self-harm', 'high', ['commit committing', 1, 'suicide'], `${support} they he she who`),
  rule(
    'self-harm',
    'high',
    ['painless best quickest easiest quick least', 5, 'suicide die =kill'],
    `${support} hard ${play} ${computing}`,
  ),
  rule(
    'self-harm',
    'high',
    [
      `${ask} many much`,
      6,
      'pills pill paracetamol tylenol ibuprofen =xanax',
      7,
      'die overdose kill fatal lethal',
    ],
    `${safety} accidentally symptoms dog cat doctor hospital`,
  ),
  rule(
    'self-harm',
    'high',
    ['hide hiding cover', 3, 'cuts scars =cutting', 4, 'arms arm wrists legs parents'],
    'surgery makeup acne price',
  ),
  rule('self-harm', 'high', ['kill hang drown', 1, 'yourself'], `${play} dont trying overwork`),
  rule('self-harm', 'high', ['=kys'], 'mean means slang'),
  rule('self-harm', 'high', ['slit cut', 1, 'your ur my', 1, '=wrist =wrists'], play),
  rule(
    'self-harm',
    'high',
    ['drink', 1, 'bleach', 3, 'you loser bitch and die please now'],
    safety,
  ),
  rule(
    'self-harm',
    'medium',
    ['=ana =mia thinspo', 2, 'tips buddy diet thinspo'],
    'recover recovery',
  ),
];
