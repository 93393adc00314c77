import { country, type Country } from './countries-format.ts';

export const americas: readonly Country[] = [
  country({
    code: 'US',
    given: [
      'James, Mary, Robert, Patricia, Linda, Ashley, Tyler, Destiny, Malik, Shaniqua, Brooke, Wyatt, Hunter, Grace',
      'Christopher, Jennifer, Brandon, Madison, Jamal, Autumn, Ethan, Savannah, Trevor, Kayla, Duane, Peggy',
      'Chase, Faith',
    ],
    family: [
      'Johnson, Williams, Brown, Garcia, Nguyen, Washington, Kowalczyk, Hernandez, Peterson, Whitaker, Young, Price',
      'Anderson, Jefferson, Sullivan, Goldberg, Castillo, Freeman, Reed, Underwood, Bush, Long, O’Connor, Schwartz',
      "McCarthy, O'Neill, St. James, Smith-Jones, Park, Baker",
    ],
    streets: [
      'Oak Street, Maple Avenue, Martin Luther King Jr. Boulevard, Sunset Drive, 5th Avenue, Cedar Lane, W 42nd St',
      'N Michigan Ave, Elm Court, Old Mill Road, County Road 12, Peachtree Pkwy, Broadway, Hwy 71 South',
    ],
    cities: [
      'Springfield/IL/627##, Austin/TX/787##, Los Angeles/CA/900##, Cedar Rapids/IA/524##, Portland/OR/972##',
      'St. Louis/MO/631##-####, New York/NY/100##, Charlotte/NC/282##, Salt Lake City/UT/841##',
    ],
    lines: [
      '{n} {s}, {c}, {r} {p}',
      '{n} {s}, Apt {u}B, {c}, {r} {p}',
      '{n} {s}, Suite {u}00, {c} {r} {p}',
    ],
    blocks: [
      '{n} {s}\n{c}, {r} {p}',
      '{n} {s}\nApt. {u}\n{c}, {r} {p}',
      '{n} {s}\n{c}, {r} {p}\nUSA',
    ],
    national:
      '(212) 5##-####, 312-5##-####, 646.5##.####, 1-800-5##-####, 415 5## ####, 713/5##-####, 2065######',
    international:
      '+1 415-5##-####, +1 (303) 5##-####, +12125######, +1.617.5##.####, +1 702 5## ####',
  }),
  country({
    code: 'CA',
    given: [
      'Liam, Olivia, Noah, Geneviève, Benoît, Sophie, Ethan, Maude, Connor, Mackenzie, Étienne, Chantal, Gurpreet',
      'Harjit, Wei, Xavier, Mélanie, Dylan, Brianna, Owen, Marie-Ève, Jean-François, Logan, Heather, Scott',
      'Amélie, Ryan',
    ],
    family: [
      'Tremblay, Gagnon, Roy, MacKenzie, Singh, Wong, Bouchard, Leblanc, Campbell, Fraser, Côté, Pelletier, Gill',
      'Beaulieu, Lévesque, Morin, Chan, Dhillon, MacDonald, Sinclair, Cardinal, Bélanger, Desjardins, Kaur, Lam',
      'St-Pierre, McLeod',
    ],
    streets: [
      'Yonge Street, Queen Street West, Granville Street, Main Street, Bloor Street East, rue Sainte-Catherine',
      'Jasper Avenue, Portage Ave, Robson St, Rideau Street, boul. René-Lévesque, Spring Garden Rd, King St W',
    ],
    cities: [
      'Toronto/ON/M5V #H@, Vancouver/BC/V6B #L@, Montréal/QC/H3B #W@, Calgary/AB/T2P #J@, Ottawa/ON/K1P #N@',
      'Winnipeg/MB/R3C #T@, Halifax/NS/B3J #K@, Québec/QC/G1R #S@',
    ],
    lines: [
      '{n} {s}, {c}, {r} {p}',
      '{u}-{n} {s}, {c} {r} {p}',
      '{n} {s}, Unit {u}, {c}, {r}  {p}',
    ],
    blocks: ['{n} {s}\n{c} {r} {p}', '{n} {s}\nSuite {u}0\n{c}, {r} {p}\nCanada'],
    national: '(416) 5##-####, 514-5##-####, 613.5##.####, 604 5## ####, 1-888-5##-####',
    international: '+1 604-5##-####, +1 (438) 5##-####, +14165######, +1 902 5## ####',
  }),
  country({
    code: 'MX',
    given: [
      'Guadalupe, Santiago, Ximena, Diego, Itzel, Emiliano, Alejandra, Jorge, Xóchitl, Ramiro, José Luis, María José',
      'Cuauhtémoc, Citlali, Rodrigo, Fernanda, Leonardo, Araceli, Rubén, Socorro, Regina, Mateo, Yolanda, Héctor',
      'Paola, Ulises',
    ],
    family: [
      'Hernández, Martínez, Ramírez Torres, Flores, Gómez, Vázquez, Mendoza, Aguilar, Castañeda, Quiroz, Juárez',
      'Domínguez, Cervantes, Velázquez, Villarreal, Zamora, Ochoa, Xicoténcatl, Cárdenas, Salinas, Treviño, Luna',
      'Ríos, Ibarra, de la Cruz, Montes de Oca',
    ],
    streets: [
      'Avenida Insurgentes Sur, Calle Madero, Paseo de la Reforma, Calle 16 de Septiembre, Av. Juárez, Calle Hidalgo',
      'Calzada de Tlalpan, Blvd. Díaz Ordaz, Calle 5 de Mayo, Av. Universidad, Callejón del Beso, Privada Morelos',
    ],
    cities: [
      'Ciudad de México/CDMX/06###, Guadalajara/Jal./44###, Monterrey/N.L./64###, Puebla/Pue./72###',
      'Mérida/Yuc./97###, Tijuana/B.C./22###, León/Gto./37###, Oaxaca/Oax./68###',
    ],
    lines: [
      '{s} {n}, Col. Centro, {p} {c}',
      '{s} {n}-{u}, {p} {c}, {r}',
      '{s} No. {n}, Col. Roma, C.P. {p}, {c}',
    ],
    blocks: ['{s} {n}\n{p} {c}, {r}', '{s} {n}, Int. {u}\nCol. Del Valle\n{p} {c}, {r}\nMéxico'],
    national: '55 1234 ####, (33) 3123 ####, 81 8123 ####, 222 234 ####',
    international: '+52 81 8123 ####, +52 55 5234 ####, +52 33 3615 ####, +5255512#####',
  }),
  country({
    code: 'BR',
    given: [
      'Thiago, Larissa, Guilherme, Fernanda, Caio, Vitória, Matheus, Jéssica, Raimundo, Iara, João Pedro, Ana Clara',
      'Luiz, Tatiane, Wellington, Rosângela, Otávio, Priscila, Edson, Marlene, Davi, Luana, Cauã, Bruna, Sérgio, Neusa',
    ],
    family: [
      'da Silva, dos Santos, Oliveira, Souza, Lima, Cavalcanti, Barbosa, Araújo, Ribeiro, Monteiro, Nascimento',
      'Gonçalves, Moreira, Cardoso, Correia, Rocha, Batista, Freitas, Assunção, Guimarães, Bittencourt, Pinheiro',
      'Teles, de Moraes, Figueiredo, Queiroz',
    ],
    streets: [
      'Rua das Flores, Avenida Paulista, Rua XV de Novembro, Alameda Santos, Avenida Atlântica, Rua Augusta',
      'Av. Brigadeiro Faria Lima, Travessa São José, Rua Sete de Setembro, Praça da Sé',
      'R. Oscar Freire, Rodovia BR-101',
    ],
    cities: [
      'São Paulo/SP/013##-###, Rio de Janeiro/RJ/220##-###, Belo Horizonte/MG/301##-###, Salvador/BA/400##-###',
      'Curitiba/PR/800##-###, Porto Alegre/RS/900##-###, Recife/PE/500##-###, Manaus/AM/690##-###',
    ],
    lines: [
      '{s}, {n}, {c} - {r}, {p}',
      '{s}, {n}, apto {u}1, {c}/{r}, {p}',
      '{s}, {n} - Centro, {c} - {r}, CEP {p}',
    ],
    blocks: ['{s}, {n}\n{c} - {r}\n{p}', '{s}, {n} - Bloco B\nCentro\n{c} - {r}\n{p}\nBrasil'],
    national: '(11) 91234-####, (21) 2345-####, 11 98765-####, 41 3234 ####',
    international: '+55 11 91234-####, +55 21 2345-####, +55 (31) 98765-####, +5511987######',
  }),
];
