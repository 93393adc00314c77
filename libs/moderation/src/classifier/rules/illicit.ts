import { rule, type Rule } from '../rule.ts';
import { ask, computing, play, safety } from './words.ts';

const make =
  'make build construct create synthesize cook assemble produce manufacture brew prepare mix';

const weapons = `bomb pipebomb explosive explosives nitroglycerin napalm =ied =ieds molotov ricin sarin anthrax
  thermite grenade =tatp =semtex =vx silencer suppressor`;

const drugs = 'meth methamphetamine cocaine heroin fentanyl mdma =lsd =ghb crack ketamine crystal';

const harmless = `bath seed cyclone photo game games minecraft movie film calorimeter chocolate logic fork zip glitter
  confetti cake cocktail smoke history historical wwii invented atomic nuclear mining engineer drink cranberry cup
  cookies eggs`;

/** The rules of the category illicit. */
export const illicit: readonly Rule[] = [
  rule('illicit', 'high', [ask, 8, make, 5, weapons], `${safety} ${harmless}`),
  rule(
    'illicit',
    'high',
    ['recipe instructions guide blueprint', 4, `${weapons} nerve`],
    `${safety} ${harmless}`,
  ),
  rule(
    'illicit',
    'high',
    ['make recipe synthesize produce', 5, 'nerve mustard chlorine sarin', 1, 'gas agent'],
    safety,
  ),
  rule(
    'illicit',
    'high',
    [`${make} =homemade`, 3, 'pipe =fertilizer =nail', 1, 'bomb'],
    `${safety} ${harmless}`,
  ),
  rule(
    'illicit',
    'high',
    [make, 3, drugs],
    `${safety} rock glass vase jewelry methadone clear crack
    eggs screen wall wine filler repair`,
  ),
  rule(
    'illicit',
    'high',
    [
      'buy order get sell score find',
      4,
      drugs,
      6,
      'online darknet dark web street cheap dealer near without',
    ],
    `${safety} rehab glass treatment help friend`,
  ),
  rule('illicit', 'high', [ask, 8, 'ghost', 1, 'gun guns'], `${safety} game`),
  rule(
    'illicit',
    'high',
    [
      ask,
      8,
      'hack break get crack',
      1,
      'into',
      5,
      'account accounts email emails wifi phone bank instagram facebook snapchat house computer car',
    ],
    `${safety} own locked forgot forgotten recover my ethical pentest authorized coding`,
  ),
  rule(
    'illicit',
    'high',
    [ask, 6, 'hack', 3, 'account email emails wifi phone bank instagram facebook snapchat'],
    `${safety} own forgot recover ethical pentest authorized secure`,
  ),
  rule(
    'illicit',
    'high',
    [
      `${ask} make buy get print sell`,
      6,
      'fake counterfeit forged',
      2,
      'passport passports id ids money bills currency license prescription',
    ],
    `${safety} spot recognize movie prop test data generator random`,
  ),
  rule(
    'illicit',
    'high',
    [ask, 6, 'launder =laundering', 4, 'money cash k dollars'],
    `${safety} anti movie`,
  ),
  rule(
    'illicit',
    'high',
    [ask, 6, 'steal clone skim', 3, 'card cards identity identities car cars wallet money'],
    `${safety} they hackers thieves criminals shop prevent git game`,
  ),
  rule(
    'illicit',
    'high',
    [
      'write create build make code develop give',
      4,
      'ransomware keylogger malware rootkit botnet =spyware stealer',
    ],
    `${safety} remove analyze analysis scanner antivirus recover presentation report essay`,
  ),
  rule(
    'illicit',
    'medium',
    [
      'dispose hide get dissolve',
      3,
      'body corpse',
      4,
      'police evidence traces acid found caught without murder killed',
    ],
    `${play} ${computing} story language`,
  ),
  rule(
    'illicit',
    'high',
    ['without before', 2, 'getting being', 1, 'caught', 6, 'kill poison steal murder drug'],
    play,
  ),
  rule(
    'illicit',
    'high',
    ['kill poison murder drug rob burn', 6, 'without', 2, 'getting being', 1, 'caught'],
    `${play} ${computing} mosquitoes rats weeds`,
  ),
];
