import { country, type Country } from './countries-format.ts';

export const southernEurope: readonly Country[] = [
  country({
    code: 'ES',
    given: [
      'Hugo, Lucía, Martín, Sofía, Alejandro, Begoña, Iñaki, Rocío, Álvaro, Macarena, José Antonio, María del Carmen',
      'Nuria, Jordi, Montserrat, Pau, Aitor, Ainhoa, Xoán, Concepción, Gonzalo, Inmaculada, Enrique, Paz',
      'Sergi, Nieves',
    ],
    family: [
      'García López, Fernández, González, Rodríguez Pérez, Sánchez, Ibáñez, Navarro, Iglesias, Ortega, Cortés, Muñoz',
      'Puig i Ferrer, Etxeberria, Castro Vidal, del Olmo, de la Fuente, Núñez, Carrasco, Peña, Roca, Serrano, Blanco',
      'Goikoetxea, Prieto, Marín, Vidal',
    ],
    streets: [
      'Calle Mayor, Avenida de la Constitución, Plaza España, Calle de Alcalá, Paseo de Gracia, C/ Goya, Ronda Sur',
      'Carrer de Mallorca, Gran Vía, Travesía del Mar, Camino Viejo de Leganés, Avda. Diagonal',
    ],
    cities: [
      'Madrid//280##, Barcelona//080##, Sevilla//410##, Zaragoza//500##, Bilbao//480##, Málaga//290##',
      'San Sebastián//200##, Las Palmas//350##, A Coruña//150##',
    ],
    lines: ['{s} {n}, {p} {c}', '{s}, {n}, 3º B, {p} {c}', '{s}, nº {n}, 4º izq., {p} {c}'],
    blocks: ['{s} {n}\n{p} {c}', '{s}, {n}, 2.º A\n{p} {c}\nEspaña'],
    national: '91 123 ## ##, 612 34 ## ##, 93 456 ## ##, 954 12 34 ##, 655-12-34-##, 6123456##',
    international:
      '+34 91 123 ## ##, +34 612 34 ## ##, +34 655 123 ###, +34612######, 0034 93 456 ## ##',
  }),
  country({
    code: 'IT',
    given: [
      'Leonardo, Giulia, Francesco, Chiara, Alessandro, Federica, Gianluca, Ilaria, Pierpaolo, Rosaria, Nicolò',
      'Maria Teresa, Giovanni Battista, Beatrice, Salvatore, Concetta, Matteo, Ginevra, Fabrizio, Noemi, Luigi',
      'Elisabetta, Dario, Serena, Ugo, Fiorella',
    ],
    family: [
      'Rossi, Russo, Ferrari, Esposito, Bianchi, Colombo, Ricci, De Luca, Marchetti, Lombardi, Conti, Bruno, Greco',
      "D'Angelo, Dell'Acqua, Lo Presti, Di Stefano, Caruso, Gallo, Fontana, Santoro, Battaglia, Pellegrini, Monti",
      'Zanella, Serra',
    ],
    streets: [
      'Via Roma, Corso Italia, Piazza Garibaldi, Viale dei Mille, Via Giuseppe Verdi, Largo Augusto, Via XX Settembre',
      "Lungotevere Mellini, Vicolo del Gallo, Via dell'Orso, C.so Buenos Aires, Strada Nuova",
    ],
    cities: [
      'Roma/RM/001##, Milano/MI/201##, Napoli/NA/801##, Torino/TO/101##, Bologna/BO/401##, Reggio Emilia/RE/421##',
      "L'Aquila/AQ/671##, Firenze/FI/501##",
    ],
    lines: ['{s} {n}, {p} {c} {r}', '{s}, {n}, {p} {c}', '{s} {n}/B, {p} {c} ({r})'],
    blocks: ['{s} {n}\n{p} {c} ({r})', '{s}, {n} int. {u}\n{p} {c} {r}\nItalia'],
    national: '06 698 #####, 347 123 ####, 02 1234 ####, 055 234 ###, 338-123####, 3331234###',
    international:
      '+39 06 698 #####, +39 347 123 ####, +39 02 1234 ####, +39347123####, 0039 06 698 #####',
  }),
  country({
    code: 'PT',
    given: [
      'João, Maria, Tiago, Inês, Gonçalo, Beatriz, Duarte, Leonor, Rui, Margarida, António, Conceição, Nuno, Graça',
      'José Manuel, Ana Rita, Vasco, Mafalda, Simão, Fátima, Afonso, Lurdes, Bernardo, Catarina, Zé, Matilde',
    ],
    family: [
      'Silva, Santos, Ferreira, Pereira, Oliveira, Carvalho, Sousa, Magalhães, Fonseca, Teixeira, Lopes, Marques',
      'Pinto, Coelho, Antunes, Brandão, Esteves, Nogueira, Vaz, Leitão, de Almeida, da Cunha, Simões, Falcão',
      'Cruz e Melo, Raposo',
    ],
    streets: [
      'Rua Augusta, Avenida da Liberdade, Rua de Santa Catarina, Travessa do Carmo, Praça do Comércio, Rua 25 de Abril',
      'Largo do Rato, Calçada da Estrela, Av. da Boavista, Beco do Espírito Santo, Rua do Alecrim, Estrada da Luz',
    ],
    cities: [
      'Lisboa//1100-###, Porto//4000-###, Coimbra//3000-###, Braga//4700-###, Faro//8000-###, Évora//7000-###',
      'Vila Nova de Gaia//4400-###, Setúbal//2900-###',
    ],
    lines: ['{s} {n}, {p} {c}', '{s}, {n}, 2º Esq, {p} {c}', '{s}, nº {n} R/C Dto., {p} {c}'],
    blocks: ['{s} {n}\n{p} {c}', '{s}, {n} - {u}.º D\n{p} {c}\nPortugal'],
    national: '21 123 ####, 912 345 ###, 22 345 ####, 96 123 45 ##, 289 123 ###, 932345###',
    international:
      '+351 21 123 ####, +351 912 345 ###, +351 96 123 45 ##, +351912345###, 00351 22 345 ####',
  }),
  country({
    code: 'PL',
    given: [
      'Jakub, Zuzanna, Antoni, Katarzyna, Wojciech, Agnieszka, Grzegorz, Małgorzata, Łukasz, Jadwiga, Stanisław',
      'Bożena, Przemysław, Elżbieta, Zbigniew, Świętosława, Michał, Iwona, Tomasz, Kinga, Paweł, Żaneta, Krzysztof',
      'Dorota, Bartosz, Ewa',
    ],
    family: [
      'Nowak, Kowalski, Wiśniewska, Wójcik, Kamińska, Lewandowski, Zielińska, Szymański, Dąbrowska, Mazur, Król',
      'Wróbel, Jabłońska, Piątek, Gołąb, Chmielewski, Szczepańska, Wąsik, Sikora, Baran, Żak, Ostrowska, Górski',
      'Kowalska-Nowak, Źrebiec, Lis',
    ],
    streets: [
      'ul. Marszałkowska, ul. Długa, al. Jerozolimskie, ul. Piotrkowska, ul. Mickiewicza, pl. Wolności, os. Słoneczne',
      'ul. Świętego Marcina, ul. 3 Maja, Rynek Główny, ul. gen. Andersa, ul. Żelazna',
    ],
    cities: [
      'Warszawa//00-###, Kraków//31-###, Łódź//90-###, Wrocław//50-###, Gdańsk//80-###, Poznań//61-###',
      'Bielsko-Biała//43-3##, Zielona Góra//65-###',
    ],
    lines: ['{s} {n}, {p} {c}', '{s} {n}/{u}, {p} {c}', '{s} {n} m. {u}, {p} {c}'],
    blocks: ['{s} {n}\n{p} {c}', '{s} {n}/{u}\n{p} {c}\nPolska'],
    national: '22 123 ## ##, 512 345 ###, (12) 345 ## ##, 601-234-###, 602345###, 71 345 67 ##',
    international:
      '+48 22 123 ## ##, +48 512 345 ###, +48 601-234-###, +48512345###, 0048 12 345 ## ##',
  }),
  country({
    code: 'TR',
    given: [
      'Mehmet, Ayşe, Mustafa, Zeynep, Emre, Elif, Hüseyin, Gamze, Oğuzhan, Şule, İbrahim, Çağla, Ümit, Özlem, Işıl',
      'Yiğit, Büşra, Kerem, Gülsüm, Tuğba, Barış, Deniz, Fatma Nur, Ali Rıza, Sibel, Umut',
    ],
    family: [
      'Yılmaz, Kaya, Demir, Çelik, Şahin, Öztürk, Aydın, Kılıç, Karaoğlu, Doğan, Arslan, Koç, Şimşek, Polat, Erdoğan',
      'Güneş, Taş, Yıldız, Bozkurt, Aksoy, Çakır, İnan, Uçar, Ünal, Tekin, Kurt',
    ],
    streets: [
      'Atatürk Caddesi, Cumhuriyet Cad., Gül Sokak, Bağdat Caddesi, İstiklal Cad., Fevzi Paşa Bulvarı, 1453. Sokak',
      'Menekşe Sk., Mimar Sinan Mah. Lale Sok., Barbaros Bulvarı, Tunalı Hilmi Cd., Çınar Sokağı',
    ],
    cities: [
      'İstanbul//34###, Ankara//06###, İzmir//35###, Bursa//16###, Antalya//07###, Eskişehir//26###',
      'Şanlıurfa//63###, Trabzon//61###',
    ],
    lines: ['{s} No: {n}, {p} {c}', '{s} No:{n} D:{u}, {p} {c}', '{s} No:{n}/{u}, {p} Merkez/{c}'],
    blocks: ['{s} No: {n}\n{p} {c}', '{s} No:{n} Kat:2 Daire:{u}\n{p} {c}\nTürkiye'],
    national: '0212 345 ## ##, 0532 123 ## ##, (0312) 234 ## ##, 0542 123 4###, 05321234###',
    international: '+90 212 345 ## ##, +90 532 123 ## ##, +90 (312) 234 ## ##, +905321######',
  }),
];
