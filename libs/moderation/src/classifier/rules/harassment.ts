import { rule, type Rule } from '../rule.ts';
import { you, anybody, play, safety } from './words.ts';

const insults = `worthless pathetic disgusting bitch whore slut cunt retard retarded moron scum subhuman loser
  =asshole`;

/** The rules of the category harassment. */
export const harassment: readonly Rule[] = [
  rule(
    'harassment',
    'medium',
    [you, 4, insults],
    'not never isnt arent feel feeling think thinking if anyone hear song character joke dont',
  ),
  rule(
    'harassment',
    'medium',
    [
      `she shes he hes they theyre her him`,
      4,
      'ugly fat stupid worthless disgusting',
      2,
      'whore slut bitch cunt pig retard cow loser',
    ],
    'song lyrics said called why',
  ),
  rule(
    'harassment',
    'high',
    [
      'nobody noone everyone everybody',
      1,
      'likes loves hates miss misses hate',
      2,
      'you u her him',
    ],
    'feel feels like think thinks thinking if said says song',
  ),
  rule(
    'harassment',
    'high',
    ['nobody noone', 1, 'would will', 1, 'miss', 1, 'you u her him'],
    'feel feels think',
  ),
  rule(
    'harassment',
    'medium',
    ['piece waste', 1, 'of', 1, 'shit =oxygen =space =skin'],
    'code software bug car movie feel this it',
  ),
  rule(
    'harassment',
    'high',
    [
      'help me us ways how',
      5,
      'bully harass stalk humiliate dox doxx blackmail torment',
      3,
      anybody,
    ],
    `${safety} stop cope deal recover ${play}`,
  ),
  rule(
    'harassment',
    'high',
    ['we =i', 1, 'know', 1, 'where', 1, 'you', 1, 'live'],
    'song lyrics movie',
  ),
  rule('harassment', 'high', ['go just please', 1, 'die', 4, 'hole fire alone painfully'], play),
  rule(
    'harassment',
    'medium',
    ['ruin destroy', 1, 'your her his', 1, 'life', 4, 'forever bitch post leak send share'],
    `${safety} ${play}`,
  ),
];
