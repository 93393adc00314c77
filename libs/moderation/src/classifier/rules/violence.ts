import { rule, type Rule } from '../rule.ts';
import { self, anybody, computing, play, safety } from './words.ts';

const hurt = `kill murder shoot stab strangle behead slaughter butcher poison torture lynch assassinate
  =dismember =mutilate`;

/** The rules of the category violence. */
export const violence: readonly Rule[] = [
  rule(
    'violence',
    'high',
    [self, 4, hurt, 2, `${anybody} my all`],
    `${computing} ${play} would could photo photos portrait portraits email mosquitoes lens wish character`,
  ),
  rule(
    'violence',
    'high',
    [self, 6, 'slit cut', 1, `${anybody} your his`, 1, 'throat throats'],
    play,
  ),
  rule(
    'violence',
    'high',
    ['how best way ways easiest', 6, hurt, 2, anybody],
    `${computing} ${play} ${safety} photo portrait portraits camera lens video wedding`,
  ),
  rule(
    'violence',
    'high',
    [
      'someone somebody we =i lets people',
      1,
      'should must',
      2,
      hurt,
      3,
      'president politician senator minister mayor judge king queen pope him her them',
    ],
    `${play} photo film email`,
  ),
  rule(
    'violence',
    'high',
    [
      'shoot shooting bomb burn',
      2,
      'up down the a my this',
      2,
      'school mosque church synagogue temple mall airport',
    ],
    `${safety} ${play} photo photos film calories wedding memorial`,
  ),
  rule(
    'violence',
    'high',
    [
      'bring bringing take taking',
      3,
      'gun guns rifle knife bomb',
      3,
      'school work church class office',
    ],
    `${safety} ${play} confiscated legal`,
  ),
  rule(
    'violence',
    'high',
    [
      'plan planning want going commit carry do',
      5,
      'massacre genocide =bombing =beheading',
      12,
      'everyone people they school city i me help',
    ],
    `${safety} ${play} museum war rwanda court`,
  ),
  rule(
    'violence',
    'high',
    ['plan planning commit do want', 3, 'mass school', 1, 'shooting =murder'],
    `${safety} ${play} memorial`,
  ),
  rule(
    'violence',
    'medium',
    ['deserve deserves', 2, 'to', 2, 'die =killed =shot =beheaded =tortured =stabbed =murdered'],
    `${play} nobody not no doesnt didnt`,
  ),
  rule(
    'violence',
    'high',
    ['how help plan way', 5, 'kidnap abduct rape =drug', 3, anybody],
    `${safety} ${play}`,
  ),
  rule(
    'violence',
    'high',
    ['want going gonna will =ill', 2, '=rape', 2, anybody],
    `${safety} ${play}`,
  ),
  rule(
    'violence',
    'medium',
    [
      'hope',
      2,
      `${anybody} they he she`,
      2,
      'gets get =are',
      1,
      '=raped =murdered =killed =shot =stabbed =beheaded',
    ],
    play,
  ),
];
