import { rule, type Rule } from '../rule.ts';
import { safety } from './words.ts';

const body = `cock dick penis pussy vagina clit tits boobs nipples ass cum =dildo`;

const teaching = `${safety} health doctor medical pain surgery cancer anatomy education learn class biology disease
  infection exam`;

/** The rules of the category sexual. */
export const sexual: readonly Rule[] = [
  rule(
    'sexual',
    'high',
    [
      'write describe generate create roleplay story make draw tell imagine pretend',
      8,
      'explicit erotic erotica smut porn pornographic nsfw hardcore hentai steamy',
      5,
      'scene sex story porn fanfic roleplay image picture about with between fiction novel erotica art video',
    ],
    teaching,
  ),
  rule(
    'sexual',
    'high',
    [
      'write describe generate draw continue',
      7,
      'naked nude',
      4,
      'body bodies woman women girl man men pose photo picture',
    ],
    `${teaching} art painting statue sculpture museum renaissance`,
  ),
  rule(
    'sexual',
    'medium',
    ['graphic detailed explicit hardcore rough kinky', 1, '=sex =sexual'],
    `${teaching} abuse content`,
  ),
  rule(
    'sexual',
    'high',
    ['make makes made making', 2, 'me him her you u', 2, '=cum =orgasm =horny'],
    teaching,
  ),
  rule(
    'sexual',
    'high',
    ['suck lick fuck ride riding stroke jerk', 2, 'my your his her the', 2, body],
    teaching,
  ),
  rule(
    'sexual',
    'high',
    ['hard wet throbbing thick huge tight dripping', 1, 'cock dick pussy penis =cunt'],
    `${teaching} rooster`,
  ),
  rule(
    'sexual',
    'medium',
    ['blowjob handjob deepthroat gangbang cumshot =bukkake facesitting =creampie'],
    `${teaching} recipe mean means`,
  ),
  rule(
    'sexual',
    'medium',
    ['send show', 3, 'nudes tits boobs pussy =dick'],
    `${safety} asked sent`,
  ),
  rule(
    'sexual',
    'medium',
    [
      'he she him her',
      2,
      '=penetrates =penetrated =thrusts =thrusting',
      6,
      'her him inside deeper into',
    ],
    `${teaching} market sword knife defense bullet`,
  ),
  rule(
    'sexual',
    'medium',
    ['=slutty =horny', 2, 'girlfriend wife teacher nurse maid boyfriend stepmom stepsister'],
    teaching,
  ),
];
