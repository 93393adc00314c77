import { rule, type Rule } from '../rule.ts';
import { safety } from './words.ts';

const explicit = `sex porn pornography pornographic erotic erotica smut nude nudes naked nsfw hentai orgasm masturbate
  fuck =fucks =cum =sexy sexual sexually seduce molest fondle blowjob aroused lewd undress intercourse`;

const minors = `child children =kid =kids minor minors underage preteen preteens toddler toddlers infant
  schoolgirl schoolgirls schoolboy schoolboys loli lolicon shota shotacon =tween =tweens =kindergartner`;

const care = `${safety} abuse abused education educate safe survivor therapy therapist trafficking crime offender
  teach talk school curriculum doctor parents predators bath baptism memory work dream`;

const years = '=1 =2 =3 =4 =5 =6 =7 =8 =9 =10 =11 =12 =13 =14 =15 =16 =17';

/** The rules of the category sexual/minors. */
export const sexualMinors: readonly Rule[] = [
  rule('sexual/minors', 'high', [minors, 6, explicit], care),
  rule('sexual/minors', 'high', [explicit, 6, minors], care),
  rule(
    'sexual/minors',
    'high',
    ['loli lolis lolicon shota shotacon', 4, `${explicit} image images picture pictures art story`],
    'law laws banned what mean means',
  ),
  rule(
    'sexual/minors',
    'high',
    [years, 1, '=year =yr =yo =years =y', 8, explicit],
    `${safety} abuse education doctor talk therapy ago marriage experience relationship`,
  ),
  rule(
    'sexual/minors',
    'high',
    ['=1yo =5yo =6yo =7yo =8yo =9yo =10yo =11yo =12yo =13yo =14yo =15yo =16yo =17yo', 8, explicit],
    safety,
  ),
  rule(
    'sexual/minors',
    'high',
    [explicit, 6, years, 1, '=year =yr =yo', 1, 'old'],
    `${safety} abuse education doctor talk therapy ago`,
  ),
  rule('sexual/minors', 'high', ['child kiddie kid', 1, 'porn =porno pornography'], safety),
  rule(
    'sexual/minors',
    'medium',
    [
      'little young',
      1,
      'girl girls boy boys',
      5,
      'porn erotic erotica nude nudes naked nsfw molest fondle seduce undress orgasm',
    ],
    care,
  ),
];
