import { country, type Country } from './country.ts';
import { moreCountries } from './more-countries.ts';

const someCountries: readonly Country[] = [
  country(
    'US',
    [
      'James, Mary, Robert, Patricia, Linda, Ashley, Tyler, Destiny, Malik, Shaniqua, Brooke, Wyatt',
      'Johnson, Williams, Brown, Garcia, Nguyen, Washington, Kowalczyk, Hernandez, Peterson, Whitaker',
      'Oak Street, Maple Avenue, Martin Luther King Jr. Boulevard, Sunset Drive, 5th Avenue, Cedar Lane',
      'Springfield, Austin, Los Angeles, Cedar Rapids, Portland, St. Louis',
    ],
    ['{n} {s}, {c}, CA 9####', '{n} {s}, Apt @#, {c}, TX 7####', '{n} {s}\n{c}, NY 1####-####'],
    ['(212) 5##-####', '+1 415-5##-####', '312-5##-####', '646.5##.####', '1-800-5##-####'],
  ),
  country(
    'GB',
    [
      'Oliver, Amelia, George, Isla, Harry, Poppy, Callum, Niamh, Rhys, Imogen',
      'Smith, Jones, Taylor, Davies, Evans, Wright, Thompson, Okonkwo, Ashworth, Fairclough',
      'High Street, Station Road, Church Lane, Victoria Crescent, Abbey Close, Mill Lane',
      'London, Manchester, Leeds, Bristol, Newcastle upon Tyne, Swansea',
    ],
    ['{n} {s}, {c}, SW1A 2AA', 'Flat @, {n} {s}, {c} M@ #AB', '{n} {s}\n{c}\nLS@ 4DT'],
    ['020 7946 0###', '+44 20 7946 0###', '07911 12####', '0161 496 0###', '+44 7911 12####'],
  ),
  country(
    'DE',
    [
      'Lukas, Anna, Jonas, Lena, Jürgen, Heike, Karl-Heinz, Friederike, Uwe, Sabine',
      'Müller, Schmidt, Schneider, Fischer, Weber, Hoffmann, Krüger, Zimmermann, von Bülow, Lehmann',
      'Hauptstraße, Bahnhofstr., Goethestraße, Berliner Allee, Am Markt, Lindenweg',
      'Berlin, München, Köln, Frankfurt am Main, Leipzig, Nürnberg',
    ],
    ['{s} {n}, 1#### {c}', '{s} {n}\n8#### {c}', '{s} {n}a, 5#### {c}'],
    ['030 2345####', '+49 30 2345####', '0171 234####', '+49 171 234####', '(089) 2345 ####'],
  ),
  country(
    'FR',
    [
      'Camille, Lucas, Chloé, Hugo, Jean-Pierre, Élodie, Mathieu, Océane, Thibault, Solène',
      'Martin, Bernard, Dubois, Lefèvre, Moreau, Girard, Rousseau, Fontaine, Le Gall, Chevalier',
      'rue de la Paix, avenue Victor Hugo, boulevard Saint-Germain, rue des Lilas, place du Marché',
      'Paris, Lyon, Marseille, Toulouse, Nantes, Saint-Étienne',
    ],
    ['{n} {s}, 750## {c}', '{n} bis {s}, 690## {c}', '{n}, {s}\n13### {c}'],
    [
      '01 42 68 ## ##',
      '+33 1 42 68 ## ##',
      '06 12 34 ## ##',
      '+33 6 12 34 ## ##',
      '04.72.00.##.##',
    ],
  ),
  country(
    'ES',
    [
      'Hugo, Lucía, Martín, Sofía, Alejandro, Begoña, Iñaki, Rocío, Álvaro, Macarena',
      'García López, Fernández, González, Rodríguez Pérez, Sánchez, Ibáñez, Navarro, Iglesias, Ortega, Cortés',
      'Calle Mayor, Avenida de la Constitución, Plaza España, Calle de Alcalá, Paseo de Gracia',
      'Madrid, Barcelona, Sevilla, Zaragoza, Bilbao, Málaga',
    ],
    ['{s} {n}, 280## {c}', '{s}, {n}, 3º B, 080## {c}', '{s} {n}\n410## {c}'],
    ['91 123 ## ##', '+34 91 123 ## ##', '612 34 ## ##', '+34 612 34 ## ##', '93 456 ## ##'],
  ),
  country(
    'IT',
    [
      'Leonardo, Giulia, Francesco, Chiara, Alessandro, Federica, Gianluca, Ilaria, Pierpaolo, Rosaria',
      'Rossi, Russo, Ferrari, Esposito, Bianchi, Colombo, Ricci, De Luca, Marchetti, Lombardi',
      'Via Roma, Corso Italia, Piazza Garibaldi, Viale dei Mille, Via Giuseppe Verdi',
      'Roma, Milano, Napoli, Torino, Bologna, Reggio Emilia',
    ],
    ['{s} {n}, 001## {c} RM', '{s}, {n}, 201## {c}', '{s} {n}\n801## {c} (NA)'],
    ['06 698 #####', '+39 06 698 #####', '347 123 ####', '+39 347 123 ####', '02 1234 ####'],
  ),
  country(
    'NL',
    [
      'Daan, Emma, Sem, Julia, Jeroen, Marloes, Pieter, Femke, Sjoerd, Anouk',
      'de Jong, Jansen, de Vries, van den Berg, Bakker, van Dijk, Visser, Smit, Mulder, ter Horst',
      'Keizersgracht, Dorpsstraat, Stationsplein, Molenweg, Prins Hendriklaan',
      'Amsterdam, Rotterdam, Utrecht, Den Haag, Eindhoven',
    ],
    ['{s} {n}, 101# AB {c}', '{s} {n}-2, 351# XK {c}', '{s} {n}\n251# CD {c}'],
    ['020 123 ####', '+31 20 123 ####', '06 1234 ####', '+31 6 1234 ####', '010-123 ####'],
  ),
  country(
    'PL',
    [
      'Jakub, Zuzanna, Antoni, Katarzyna, Wojciech, Agnieszka, Grzegorz, Małgorzata, Łukasz, Jadwiga',
      'Nowak, Kowalski, Wiśniewska, Wójcik, Kamińska, Lewandowski, Zielińska, Szymański, Dąbrowska, Mazur',
      'ul. Marszałkowska, ul. Długa, al. Jerozolimskie, ul. Piotrkowska, ul. Mickiewicza',
      'Warszawa, Kraków, Łódź, Wrocław, Gdańsk',
    ],
    ['{s} {n}, 00-### {c}', '{s} {n}/1@, 31-### {c}', '{s} {n}\n90-### {c}'],
    ['22 123 ## ##', '+48 22 123 ## ##', '512 345 ###', '+48 512 345 ###', '(12) 345 ## ##'],
  ),
  country(
    'SE',
    [
      'Lars, Astrid, Björn, Karin, Göran, Ulla, Håkan, Maja, Torbjörn, Linnéa',
      'Andersson, Johansson, Karlsson, Nilsson, Eriksson, Lindqvist, Bergström, Sjöberg, Åkesson, Holmgren',
      'Storgatan, Kungsgatan, Drottninggatan, Björkvägen, Skolgatan',
      'Stockholm, Göteborg, Malmö, Uppsala, Umeå',
    ],
    ['{s} {n}, 111 ## {c}', '{s} {n} B, 413 ## {c}', '{s} {n}\n211 ## {c}'],
    ['08-123 45 ##', '+46 8 123 45 ##', '070-123 45 ##', '+46 70 123 45 ##', '031-12 34 ##'],
  ),
  country(
    'PT',
    [
      'João, Maria, Tiago, Inês, Gonçalo, Beatriz, Duarte, Leonor, Rui, Margarida',
      'Silva, Santos, Ferreira, Pereira, Oliveira, Carvalho, Sousa, Magalhães, Fonseca, Teixeira',
      'Rua Augusta, Avenida da Liberdade, Rua de Santa Catarina, Travessa do Carmo, Praça do Comércio',
      'Lisboa, Porto, Coimbra, Braga, Faro',
    ],
    ['{s} {n}, 1100-### {c}', '{s}, {n}, 2º Esq, 4000-### {c}', '{s} {n}\n3000-### {c}'],
    ['21 123 ####', '+351 21 123 ####', '912 345 ###', '+351 912 345 ###', '22 345 ####'],
  ),
];

/** The twenty countries of the corpus. */
export const countries: readonly Country[] = [...someCountries, ...moreCountries];
