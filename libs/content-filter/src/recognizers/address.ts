import { patternRecognizer } from '../pattern-recognizer.ts';

const capital = String.raw`(?:\p{Lu}[\p{L}\p{M}'’.-]{0,30}|\d{1,3}(?:st|nd|rd|th))`;
const particle = [
  String.raw`(?:de|del|della|dei|di|da|do|dos|das|la|las|los|le|les|du|des|der|den|van|von|y|e|zum|zur|`,
  String.raw`am|an|im|the|of|św\.|ks\.|aan|op|upon|sur|sous|bei|under)`,
].join('');
const name = String.raw`(?:\d{1,2}(?:\.|[ ](?:de|of))[ ])?${capital}(?:[ ](?:${particle}[ ]){0,2}${capital}){0,4}`;
const houseNumber = String.raw`(?:\d{1,5}(?:[-/]\d{1,5})?[ ]?[A-Za-z]?\b(?:[-/](?:\d{1,4}|[A-Z])\b)?)`;
/** Words that say alone that a street is meant. */
const streetWord = [
  'Streets?|St|Avenue|Ave|Av|Boulevard|Blvd|Road|Rd|Drive|Dr|Lane|Ln|Court|Ct|Place|Pl|Square|',
  'Sq|Terrace|Ter|Way|Parkway|Pkwy|Highway|Hwy|Circle|Cir|Crescent|Cres|Close|Grove|Gardens?|',
  'Gdns|Mews|Trail|Trl|Plaza|Alley|Parade|Esplanade|Quay|Wharf|Expressway|Freeway|Turnpike|',
  'Marg|Nagar|Salai|Layout|Colony|Enclave|Vihar|Chowk|Walk|Rise',
].join('');
/** Words that end names of streets and much else: they count where a town or a code follows. */
const placeWord = [
  'Row|Hill|Park|Loop|Path|Green|Bypass|Commons?|Ridges?|Heights|View|Crossing|Point|Run|Pass|',
  'Bend|Hollow|Cross|Main|Manors?|Islands?|Forges?|Fords?|Mount|Mountains?|Springs?|Harbors?|',
  'Meadows?|Lakes?|Spurs?|Stravenue|Station|Summit|Throughway|Trace|Track|Trafficway|Tunnel|',
  'Unions?|Valleys?|Viaduct|Villages?|Ville|Vista|Walks?|Wall|Wells?|Inlet|Junctions?|Keys?|',
  'Knolls?|Landing|Locks?|Lodge|Mall|Mills?|Mission|Motorway|Neck|Orchard|Oval|Overpass|',
  'Parkways|Passage|Pike|Pines?|Plains?|Plazas|Ports?|Prairie|Radial|Ramp|Ranch|Rapids?|Rest|',
  'River|Route|Rue|Shoals?|Shores?|Skyway|Squares|Stream|Burgs?|Camp|Canyon|Cape|Causeway|',
  'Centers?|Cliffs?|Club|Corners?|Course|Courts|Coves?|Creek|Crest|Crossroads?|Curve|Dale|Dam|',
  'Divide|Drives|Estates?|Extensions?|Falls?|Ferry|Fields?|Flats?|Forest|Forks?|Fort|Gateway|',
  'Glens?|Greens|Groves|Haven|Isle|Lights?|Mews|Branch|Brooks?|Bluffs?|Bridge|Bottom|Bayou|',
  'Beach|Annex|Arcade',
].join('');
const unit = [
  String.raw`(?:(?:,?[ ]|[ ]?\r?\n)(?:hs\b|lgh[ ]\d{2,4}|int\.?[ ]\d{1,3}|m\.[ ]?\d{1,3}|R/C\b)|`,
  String.raw`[ ][-–][ ]\d{1,2}[.º°ªo]{1,2}(?:[ ]\p{L}{1,4})?|(?:,?[ ]|\r?\n)(?:[Aa]pto?|[Aa]partment|`,
  String.raw`[Ss]uite|[Uu]nit|[Ff]lat|Col|`,
  String.raw`Ste|Floor|Fl|Room|Rm|Building|Bldg|Block|Piso|`,
  String.raw`Etage|Wohnung|Int|Depto|No|Daire|Kat|D|m|lok)\.?[ ]?#?[\p{L}\d-]{1,6}|`,
  String.raw`,?[ ]#[ ]?\d{1,5}[A-Za-z]?|,[ ]\d{1,2}[.º°ªo]{1,2}(?:[ ]?\p{L}{1,4})?)`,
].join('');
const postcode = [
  String.raw`(?:[A-Z]{1,2}\d[A-Z\d]?[ ]\d[A-Z]{2}|[A-Z]\d[A-Z][ ]?\d[A-Z]\d|\d{5}-\d{3,4}|`,
  String.raw`\d{4}[ ]?[A-Z]{2}|(?:CEP[ ])?\d{2}-\d{3}|\d{3}[ -]\d{2,4}|(?:[A-Z]{1,2}-)?(?:\d{3}[ ]\d{2}|\d{4,6}))\b`,
].join('');
const region = String.raw`(?:[A-Z]{2,3}|[A-Z]\.[A-Z]\.?)`;
const city = [
  String.raw`(?:['’]s-)?${capital}(?:[ ](?:${particle}[ -]){0,2}${capital}){0,3}`,
  String.raw`(?:[ ]\(\p{Lu}\p{L}{1,20}\))?`,
].join('');
const gap = String.raw`(?:,[ ]?(?:\r?\n)?|[ ]?\r?\n|[ ][-–][ ]|[ ])`;
/** District, post code and city in the orders of the world, each once or not at all. */
const tail = [
  String.raw`(?:${gap}${postcode}(?:[ ]{1,2}${city})?(?:${gap}\(?${region}\)?\b)?|`,
  String.raw`${gap}${city}(?:[,]?[ -]{1,3}${region}\b)?(?:${gap}${postcode})?){0,3}`,
].join('');

const pattern = (source: string, flags = 'gu') => new RegExp(source, flags);

/** Finds postal addresses as some twenty countries write them: a street with its number, and what follows it. */
export const address = patternRecognizer([
  {
    name: 'number_street',
    needs: /\d/u,
    pattern: pattern(
      [
        String.raw`(?<![\p{L}\d.,$€£#-])(?:(?:Flat|Apt|Unit|Suite|Apartment|House|Plot|No\.?|Shop|`,
        String.raw`Block)[ ]?[\dA-Z]{1,5},?[ ])?${houseNumber},?[ ](?:[NSEW]{1,2}\.?[ ]|(?:North|South|East|`,
        String.raw`West)[ ])?(?:${capital}[ ]){1,4}?(?:${streetWord})\b\.?(?:[ ]\d{1,4}\b)?(?:[ ]`,
        String.raw`(?:[NSEW]{1,2}|North|South|`,
        String.raw`East|West)\b)?(?:${unit}){0,2}${tail}`,
      ].join(''),
    ),
    score: () => 0.88,
  },
  {
    name: 'number_place',
    needs: /\d/u,
    pattern: pattern(
      [
        String.raw`(?<![\p{L}\d.,$€£#-])${houseNumber},?[ ](?:${capital}[ ]){1,3}?(?:${placeWord})\b\.?(?:`,
        String.raw`${unit}){0,2}(?:,[ ]?|`,
        String.raw`[ ]?\r?\n)${city}(?:[,]?[ -]{1,3}${region}\b)?(?:${gap}${postcode})?${tail}`,
      ].join(''),
    ),
    score: () => 0.82,
  },
  {
    name: 'number_rue',
    needs: /\d/u,
    pattern: pattern(
      [
        String.raw`(?<![\p{L}\d.,-])\d{1,4}(?:[ ]?(?:bis|ter|quater|[A-D]))?,?[ ](?:[Rr]ue|[Aa]venue|`,
        String.raw`[Bb]oulevard|[Bb]d|[Pp]lace|[Cc]hemin|[Aa]llée|[Ii]mpasse|[Qq]uai|[Rr]oute|[Cc]ours|`,
        String.raw`[Ss]quare|[Ff]aubourg|[Pp]assage|[Vv]illa|[Cc]hauss[eé]e)[ ](?:(?:de la|de l['’]|des|du|de|`,
        String.raw`d['’]|la|le|les)[ ]?){0,2}${name}${tail}`,
      ].join(''),
    ),
    score: () => 0.88,
  },
  {
    name: 'street_number',
    needs: /\d/u,
    pattern: pattern(
      [
        String.raw`(?<![\p{L}\d])(?:\p{Lu}[\p{L}.'-]{0,30}[ ]){0,3}?(?:\p{Lu}[\p{L}.'-]{0,30}-)?`,
        String.raw`(?:\p{Lu}\p{L}{1,24}(?:stra(?:ß|ss)e|`,
        String.raw`str\.|weg|gasse|platz|allee|ring|damm|ufer|laan|straat|plein|gracht|kade|dijk|singel|gatan|`,
        String.raw`vägen|gränd|torget|stigen|vej|gade|veien|gata|katu|tie)|(?:Straße|Strasse|Allee|Weg|Platz|`,
        String.raw`Ring)(?:[ ](?:des|der|am|im)[ ]${name})?)[ ]${houseNumber}(?:${unit}){0,2}${tail}`,
      ].join(''),
    ),
    score: () => 0.88,
  },
  {
    name: 'kind_name_number',
    needs: /\d/u,
    pattern: pattern(
      [
        String.raw`(?<![\p{L}\d])(?:Calle|C\/|Callejón|Andador|Lungotevere|C\.so|V\.le|P\.zza|Beco|Calçada|`,
        String.raw`Avenida|Avda\.?|Av\.|Paseo|Plaza|Pza\.?|Carrera|Camino|Carretera|`,
        String.raw`Ronda|Travesía|Glorieta|Calzada|Blvd\.|Boulevard|Prolongación|Privada|Cerrada|Circuito|Via|`,
        String.raw`Viale|Piazza|Piazzale|Corso|Largo|Vicolo|Strada|Contrada|Borgo|Rua|R\.|Travessa|Alameda|`,
        String.raw`Praça|Estrada|Rodovia|ul\.|ulica|Ulica|al\.|aleja|Aleje|Al\.|pl\.|plac|os\.|osiedle|Carrer|`,
        String.raw`Passeig|Rambla|Unter|An|Am|Im|Auf|Zum|`,
        String.raw`Zur)[ ](?:(?:${particle})[ ]){0,2}${name},?[ ](?:n[.º°o]{0,2}[ ]?|No\.?[ ]?|nr[ ]?|`,
        String.raw`s\/)?${houseNumber}(?:${unit}){0,2}${tail}`,
      ].join(''),
    ),
    score: (match) => (/^(?:An|Am|Im|Auf|Unter|Zum|Zur)\b/u.test(match) ? 0.6 : 0.88),
  },
  {
    name: 'turkish',
    needs: /(?:Cad|Sok|Mah|Bulvar|Sk\.)/u,
    pattern: pattern(
      [
        String.raw`(?<![\p{L}\d])(?:${name}[ ](?:Mah(?:allesi|\.)?)[,]?[ ])?(?:${name}|`,
        String.raw`\d{1,5}\.?)[ ](?:Cad(?:desi|\.)?|Sok(?:ak|ağı|\.)?|Sk\.|Bulvar[ıi]|`,
        String.raw`Blv\.)[,]?[ ](?:No[.:]?[ ]?:?[ ]?)?\d{1,4}(?:[/-]\d{1,4})?(?:${unit})?(?:,?[ ]?(?:D(?:aire)?`,
        String.raw`[.:][ ]?\d{1,4}))?(?:[ ,/\n]{1,2}(?:\d{5}[ ])?${capital}(?:[/ ]{1,2}${capital})?){0,3}`,
      ].join(''),
    ),
    score: () => 0.88,
  },
  {
    name: 'japanese',
    needs: /\d-\d{1,2}/u,
    pattern: pattern(
      [
        String.raw`(?<![\p{L}\d-])(?:〒?\d{3}-\d{4},?[ ])?\d{1,3}-\d{1,3}(?:-\d{1,3})?,?[ ]\p{Lu}[\p{L}-]{2,24}(`,
        String.raw`?:[ ]\p{Lu}[\p{L}-]{2,24})?,[ ]\p{Lu}[\p{L}-]{2,24}(?:(?:,)?[ ]${capital}){0,3}(?:,?[ ]\d{3}`,
        String.raw`-\d{4})?(?:,[ ]Japan)?`,
      ].join(''),
    ),
    score: () => 0.82,
  },
  {
    name: 'post_box',
    needs: /box|postfach|casella|apartado|caixa|skrytka|postbus|private bag/iu,
    pattern: pattern(
      [
        String.raw`(?<![\p{L}\d])(?:P\.?[ ]?O\.?[ ]?Box|Post Office Box|Postfach|Casella Postale|`,
        String.raw`Apartado(?: Postal)?|Caixa Postal|Postbus|Private Bag|PSC|Boîte Postale|`,
        String.raw`B\.?P\.?)[ ]\d{1,6}(?:-\d{3,5})?${tail}`,
      ].join(''),
    ),
    score: () => 0.88,
  },
  {
    name: 'city_state_code',
    needs: /\d{5}/u,
    pattern: pattern(String.raw`(?<![\p{L}\d])${city},[ ][A-Z]{2}[ ]\d{5}(?:-\d{4})?(?![\p{L}\d])`),
    score: () => 0.72,
  },
]);
