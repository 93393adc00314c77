import { country, type Country } from './countries-format.ts';

export const westernEurope: readonly Country[] = [
  country({
    code: 'GB',
    given: [
      'Oliver, Amelia, George, Isla, Harry, Poppy, Callum, Niamh, Rhys, Imogen, Alistair, Fiona, Gareth, Siân',
      'Mohammed, Aaliyah, Nigel, Philippa, Hamish, Bethan, Rupert, Daisy, Graham, Saoirse, Ewan, Rose, Mark, Will',
    ],
    family: [
      'Smith, Jones, Taylor, Davies, Evans, Wright, Thompson, Okonkwo, Ashworth, Fairclough, Khan, Patel, Hughes',
      "O'Brien, MacGregor, Featherstone, Bell, Cook, Shepherd, Llewellyn, Armitage, Booth, Hall, Kaur",
      'Fitzwilliam, Parker-Bowles, Marsh',
    ],
    streets: [
      'High Street, Station Road, Church Lane, Victoria Crescent, Abbey Close, Mill Lane, The Green, Kings Rd',
      "Queen's Gardens, St John's Wood Terrace, Northgate, Park Row, Albert Mews, Upper Richmond Road",
    ],
    cities: [
      'London//SW@ #BD, Manchester//M@ #HG, Leeds//LS@ #DT, Bristol//BS@ #JQ, Newcastle upon Tyne//NE@ #RF',
      'Swansea//SA@ #LN, Edinburgh//EH@ #PX, Belfast//BT@ #GS, Milton Keynes//MK@ #AB',
    ],
    lines: ['{n} {s}, {c}, {p}', 'Flat {u}, {n} {s}, {c} {p}', 'Rose Cottage, {n} {s}, {c}, {p}'],
    blocks: [
      '{n} {s}\n{c}\n{p}',
      'Flat {u}\n{n} {s}\n{c}\n{p}',
      '{n} {s}\n{c} {p}\nUnited Kingdom',
    ],
    national: '020 7946 0###, 07911 12####, 0161 496 0###, (0117) 496 0###, 0800 123 4###',
    international: '+44 20 7946 0###, +44 7911 12####, +44 (0)161 496 0###, +4479111#####',
  }),
  country({
    code: 'DE',
    given: [
      'Lukas, Anna, Jonas, Lena, Jürgen, Heike, Karl-Heinz, Friederike, Uwe, Sabine, Maximilian, Leonie, Günther',
      'Anneliese, Torsten, Mareike, Björn, Gudrun, Hans-Peter, Ute, Fatma, Cem, Wolfgang, Käthe, Swantje, Till',
    ],
    family: [
      'Müller, Schmidt, Schneider, Fischer, Weber, Hoffmann, Krüger, Zimmermann, von Bülow, Lehmann, Koch, Wolf',
      'Schröder, Vogel, Groß, Jäger, Winter, Yıldırım, Weiß, Brandt, zu Guttenberg, Dietrich, Lange, König',
      'Meyer-Landrut, Sommer',
    ],
    streets: [
      'Hauptstraße, Bahnhofstr., Goethestraße, Berliner Allee, Am Markt, Lindenweg, Schillerplatz, Alter Postweg',
      'Straße des 17. Juni, Unter den Linden, Kirchgasse, Münchner Ring, An der alten Mühle, Rosenstr.',
    ],
    cities: [
      'Berlin//101##, München//803##, Köln//506##, Frankfurt am Main//603##, Leipzig//041##, Nürnberg//904##',
      'Halle (Saale)//061##, Bad Homburg//613##, Düsseldorf//402##',
    ],
    lines: ['{s} {n}, {p} {c}', '{s} {n}a, {p} {c}', '{s} {n}, D-{p} {c}'],
    blocks: ['{s} {n}\n{p} {c}', '{s} {n} b\n{p} {c}\nDeutschland', '{s} {n}\nD-{p} {c}'],
    national:
      '030 2345####, 0171 234####, (089) 2345 ####, 0221/2345##, 0151-234 5####, 069 23 45 ## ##',
    international:
      '+49 30 2345####, +49 171 234####, +49 (0)89 2345####, +491712######, 0049 40 2345####',
  }),
  country({
    code: 'FR',
    given: [
      'Camille, Lucas, Chloé, Hugo, Jean-Pierre, Élodie, Mathieu, Océane, Thibault, Solène, Anne-Sophie, Rémi',
      'Noémie, Gaël, Yasmine, Karim, Édouard, Bénédicte, Loïc, Maëlys, Pascal, Odile, Guillaume, Françoise, Zoé, Yves',
    ],
    family: [
      'Martin, Bernard, Dubois, Lefèvre, Moreau, Girard, Rousseau, Fontaine, Le Gall, Chevalier, Petit, Blanc',
      'Lemaître, Benali, d’Arcy, de La Fontaine, Boucher, Marchand, Hébert, Deschamps, Roux, Perrin, Guérin',
      'Delacroix, Charpentier, Traoré',
    ],
    streets: [
      'rue de la Paix, avenue Victor Hugo, boulevard Saint-Germain, rue des Lilas, place du Marché, quai des Chartrons',
      "impasse des Roses, chemin de l'Église, rue du 8 Mai 1945, allée Jean Jaurès, cours Mirabeau, bd. Voltaire",
    ],
    cities: [
      'Paris//750##, Lyon//690##, Marseille//130##, Toulouse//310##, Nantes//440##, Saint-Étienne//420##',
      'Aix-en-Provence//131##, Le Havre//766##, Strasbourg//670##',
    ],
    lines: ['{n} {s}, {p} {c}', '{n} bis {s}, {p} {c}', '{n}, {s}, {p} {c} Cedex'],
    blocks: [
      '{n}, {s}\n{p} {c}',
      '{n} {s}\nBât. C, appt {u}\n{p} {c}',
      '{n} ter {s}\n{p} {c}\nFrance',
    ],
    national:
      '01 42 68 ## ##, 06 12 34 ## ##, 04.72.00.##.##, 05-61-23-##-##, 07 81 23 ## ##, 061234####',
    international:
      '+33 1 42 68 ## ##, +33 6 12 34 ## ##, +33 (0)4 72 00 ## ##, +336123#####, 0033 1 42 68 ## ##',
  }),
  country({
    code: 'NL',
    given: [
      'Daan, Emma, Sem, Julia, Jeroen, Marloes, Pieter, Femke, Sjoerd, Anouk, Maarten, Liesbeth, Thijs, Roos',
      'Willem-Jan, Annemiek, Koen, Saskia, Ruben, Fleur, Bas, Yvonne, Gijs, Marijke, Rachid, Hanneke',
    ],
    family: [
      'de Jong, Jansen, de Vries, van den Berg, Bakker, van Dijk, Visser, Smit, Mulder, ter Horst, van der Meer',
      "Hoekstra, Dijkstra, Kuipers, 't Hart, El Idrissi, Brouwer, Vermeulen, van Leeuwen, Postma, Willems, de Wit",
      'Schouten, op den Akker, Blom',
    ],
    streets: [
      'Keizersgracht, Dorpsstraat, Stationsplein, Molenweg, Prins Hendriklaan, Kerkstraat, Oude Haven, Vondelkade',
      "Lange Voorhout, Zuiderdiep, 's-Gravendijkwal, Burgemeester de Vlugtlaan",
    ],
    cities: [
      'Amsterdam//101# AB, Rotterdam//301# BC, Utrecht//351# XK, Den Haag//251# CD, Eindhoven//561# GH',
      "'s-Hertogenbosch//521# LM, Groningen//971# NP, Alphen aan den Rijn//240# RT",
    ],
    lines: ['{s} {n}, {p} {c}', '{s} {n}-{u}, {p} {c}', '{s} {n} hs, {p}  {c}'],
    blocks: ['{s} {n}\n{p} {c}', '{s} {n}A\n{p} {c}\nNederland'],
    national: '020 123 ####, 06 1234 ####, 010-123 ####, 06-1234####, (030) 234 ####',
    international:
      '+31 20 123 ####, +31 6 1234 ####, +31 (0)10 123 ####, +31612######, 0031 6 1234 ####',
  }),
  country({
    code: 'SE',
    given: [
      'Lars, Astrid, Björn, Karin, Göran, Ulla, Håkan, Maja, Torbjörn, Linnéa, Sven-Erik, Ann-Marie, Gustaf, Ebba',
      'Åsa, Örjan, Malin, Fredrik, Saga, Ingemar, Pernilla, Viktor, Birgitta, Jonas, Ylva, Mats',
    ],
    family: [
      'Andersson, Johansson, Karlsson, Nilsson, Eriksson, Lindqvist, Bergström, Sjöberg, Åkesson, Holmgren, Öberg',
      'Söderström, Wallin, Ek, Hedlund, Nyström, af Klint, Sandberg, Lund, Björk, Ström, Ali, Hallberg, Åström',
      'Fransson, Månsson',
    ],
    streets: [
      'Storgatan, Kungsgatan, Drottninggatan, Björkvägen, Skolgatan, Östra Hamngatan, Norra Vallgatan, Sveavägen',
      'Järntorget, Ringvägen, Södra Förstadsgatan, Åsgränd',
    ],
    cities: [
      'Stockholm//111 ##, Göteborg//413 ##, Malmö//211 ##, Uppsala//753 ##, Umeå//903 ##, Örebro//702 ##',
      'Västerås//722 ##, Lund//223 ##',
    ],
    lines: ['{s} {n}, {p} {c}', '{s} {n} B, {p} {c}', '{s} {n} lgh 1102, {p} {c}'],
    blocks: ['{s} {n}\n{p} {c}', '{s} {n} A\nSE-{p} {c}\nSverige'],
    national: '08-123 45 ##, 070-123 45 ##, 031-12 34 ##, 073 234 56 ##, 040-12 34 ##',
    international: '+46 8 123 45 ##, +46 70 123 45 ##, +46 (0)31 12 34 ##, +4670123####',
  }),
];
