import { rule, type Rule } from '../rule.ts';
import { play, safety } from './words.ts';

const talk = `word term slur meaning etymology mean means said says saying called calls propaganda wrong racist
  racism antisemitic antisemitism homophobia islamophobia quote history historical
  stereotype stereotypes myth research why`;

const past = `${talk} nazi nazis hitler holocaust`;

const groups = `jew jews jewish muslim muslims islam black blacks african africans immigrant immigrants refugee
  refugees migrant migrants gay gays lesbian lesbians homosexual homosexuals transgender trans christian christians
  hindu hindus asian asians mexican mexicans arab arabs gypsy gypsies whites latino latinos indians chinese`;

const destroy = `kill exterminate gas gassed gassing eradicate eliminate annihilate hang shoot burn murder wipe
  slaughter lynch deport`;

/** The rules of the category hate. */
export const hate: readonly Rule[] = [
  rule('hate', 'high', [`${destroy} purge`, 3, groups], `${past} ${safety} ${play}`),
  rule(
    'hate',
    'high',
    [
      groups,
      4,
      'should must deserve deserves need needs ought',
      5,
      'die dead killed exterminated gassed gas burn burned hanged hang shot wiped deported eradicated =disappear',
    ],
    past,
  ),
  rule(
    'hate',
    'high',
    [
      groups,
      3,
      'are is',
      4,
      `vermin subhuman subhumans rat cockroach parasite scum filth filthy disease plague inferior savage ape monkey
    trash garbage degenerate animals`,
    ],
    past,
  ),
  rule('hate', 'high', [groups, 3, 'inferior', 2, 'to'], `${past} evidence claim claimed`),
  rule(
    'hate',
    'medium',
    ['=i we everyone', 2, '=hate hates despise =loathe', 4, groups],
    'food cooking who why racist dont not never bug code',
  ),
  rule(
    'hate',
    'medium',
    [
      `nigger niggers nigga faggot faggots kike kikes spic spics chink chinks wetback wetbacks
    tranny trannies raghead ragheads gook gooks =paki =pakis`,
    ],
    `${past} ${safety} rap lyrics song armor`,
  ),
  rule('hate', 'high', ['heil', 'hitler'], `${talk} ${safety} film movie`),
  rule('hate', 'high', ['hitler', 3, 'right', 3, 'about jews jew'], 'think thought believed who'),
  rule(
    'hate',
    'medium',
    ['white', 1, '=power =supremacy', 5, 'forever rise join win =speech =song =manifesto'],
    talk,
  ),
  rule(
    'hate',
    'high',
    [
      'write generate create compose',
      5,
      'racist antisemitic homophobic xenophobic transphobic islamophobic hateful',
      4,
      'speech joke jokes rant song poem leaflet tweet post',
    ],
    `${safety} about against response reply`,
  ),
];
