import { country, type Country } from './country.ts';

export const moreCountries: readonly Country[] = [
  country(
    'BR',
    [
      'Thiago, Larissa, Guilherme, Fernanda, Caio, Vitória, Matheus, Jéssica, Raimundo, Iara',
      'da Silva, dos Santos, Oliveira, Souza, Lima, Cavalcanti, Barbosa, Araújo, Ribeiro, Monteiro',
      'Rua das Flores, Avenida Paulista, Rua XV de Novembro, Alameda Santos, Avenida Atlântica',
      'São Paulo, Rio de Janeiro, Belo Horizonte, Salvador, Curitiba',
    ],
    ['{s}, {n}, {c} - SP, 013##-###', '{s}, {n}, apto @#, {c}', '{s}, {n}\n{c} - RJ\n220##-###'],
    ['(11) 91234-####', '+55 11 91234-####', '(21) 2345-####', '+55 21 2345-####'],
  ),
  country(
    'MX',
    [
      'Guadalupe, Santiago, Ximena, Diego, Itzel, Emiliano, Alejandra, Jorge, Xóchitl, Ramiro',
      'Hernández, Martínez, Ramírez Torres, Flores, Gómez, Vázquez, Mendoza, Aguilar, Castañeda, Quiroz',
      'Avenida Insurgentes Sur, Calle Madero, Paseo de la Reforma, Calle 16 de Septiembre, Av. Juárez',
      'Ciudad de México, Guadalajara, Monterrey, Puebla, Mérida',
    ],
    ['{s} {n}, Col. Centro, 06### {c}', '{s} {n}, 44### {c}', '{s} {n}\n64### {c}, N.L.'],
    ['55 1234 ####', '+52 55 1234 ####', '(33) 3123 ####', '+52 81 8123 ####'],
  ),
  country(
    'IN',
    [
      'Aarav, Priya, Rohan, Ananya, Vikram, Deepika, Sanjay, Lakshmi, Arjun, Meenakshi',
      'Sharma, Patel, Iyer, Reddy, Mukherjee, Gupta, Nair, Chaudhary, Krishnamurthy, Deshpande',
      'MG Road, Nehru Street, Linking Road, Anna Salai, Park Street, Brigade Road',
      'Mumbai, Bengaluru, Chennai, Kolkata, New Delhi, Hyderabad',
    ],
    ['{n}, {s}, {c} 4000##', 'Flat @0#, {n} {s}, {c} - 5600##', '{n} {s}\n{c} 6000##'],
    ['+91 98765 4####', '98765 4####', '022 2345 ####', '+91-98200-#####'],
  ),
  country(
    'JP',
    [
      'Hiroshi, Yuki, Takashi, Sakura, Kenji, Aiko, Haruto, Keiko, Daisuke, Naomi',
      'Tanaka, Suzuki, Yamamoto, Watanabe, Nakamura, Kobayashi, Ito, Fujiwara, Matsumoto, Ogawa',
      'Shibuya, Roppongi, Ginza, Umeda, Sakae',
      'Tokyo, Osaka, Nagoya, Kyoto, Fukuoka',
    ],
    ['1-{n}-3 {s}, {c} 150-00##', '{n}-2-1 {s}, {c}-shi, {c} 106-00##'],
    ['03-1234-####', '+81 3-1234-####', '090-1234-####', '+81 90-1234-####'],
  ),
  country(
    'TR',
    [
      'Mehmet, Ayşe, Mustafa, Zeynep, Emre, Elif, Hüseyin, Gamze, Oğuzhan, Şule',
      'Yılmaz, Kaya, Demir, Çelik, Şahin, Öztürk, Aydın, Kılıç, Karaoğlu, Doğan',
      'Atatürk Caddesi, Cumhuriyet Cad., Gül Sokak, Bağdat Caddesi, İstiklal Cad.',
      'İstanbul, Ankara, İzmir, Bursa, Antalya',
    ],
    ['{s} No: {n}, 34### {c}', '{s} No:{n} D:@, 06### {c}', '{s} No: {n}\n35### {c}'],
    ['0212 345 ## ##', '+90 212 345 ## ##', '0532 123 ## ##', '+90 532 123 ## ##'],
  ),
  country(
    'NG',
    [
      'Chinedu, Ngozi, Oluwaseun, Aisha, Emeka, Folake, Babatunde, Zainab, Ifeanyi, Yetunde',
      'Okafor, Adeyemi, Balogun, Eze, Ibrahim, Nwosu, Okonkwo, Abubakar, Olawale, Danjuma',
      'Awolowo Road, Allen Avenue, Broad Street, Ahmadu Bello Way, Herbert Macaulay Street',
      'Lagos, Abuja, Ibadan, Kano, Port Harcourt',
    ],
    ['{n} {s}, {c}', '{n}, {s}, {c} 1000##', 'No. {n} {s}, {c}'],
    ['0803 123 ####', '+234 803 123 ####', '0902 345 ####', '+234 902 345 ####'],
  ),
  country(
    'ZA',
    [
      'Thabo, Lerato, Sipho, Naledi, Pieter, Annelie, Bongani, Zanele, Riaan, Nomvula',
      'Nkosi, Dlamini, van der Merwe, Botha, Mokoena, Khumalo, Naidoo, Pretorius, Mthembu, Sithole',
      'Long Street, Jan Smuts Avenue, Main Road, Church Street, Oxford Road',
      'Cape Town, Johannesburg, Durban, Pretoria, Bloemfontein',
    ],
    ['{n} {s}, {c}, 80##', '{n} {s}, {c} 2###', '{n} {s}\n{c}\n40##'],
    ['021 123 ####', '+27 21 123 ####', '082 123 ####', '+27 82 123 ####'],
  ),
  country(
    'AU',
    [
      'Jack, Charlotte, Lachlan, Matilda, Cooper, Sienna, Angus, Bronwyn, Darcy, Tahlia',
      'Smith, Nguyen, Campbell, OBrien, MacDonald, Papadopoulos, Kelly, Harrison, Fitzgerald, Clarke',
      'George Street, Collins Street, Queen Street, Pacific Highway, Elizabeth Street',
      'Sydney, Melbourne, Brisbane, Perth, Adelaide',
    ],
    ['{n} {s}, {c} NSW 20##', 'Unit @, {n} {s}, {c} VIC 30##', '{n} {s}\n{c} QLD 40##'],
    ['(02) 9123 ####', '+61 2 9123 ####', '0412 345 ###', '+61 412 345 ###'],
  ),
  country(
    'CA',
    [
      'Liam, Olivia, Noah, Geneviève, Benoît, Sophie, Ethan, Maude, Connor, Mackenzie',
      'Tremblay, Gagnon, Roy, MacKenzie, Singh, Wong, Bouchard, Leblanc, Campbell, Fraser',
      'Yonge Street, Queen Street West, Granville Street, Main Street, Bloor Street East',
      'Toronto, Vancouver, Montreal, Calgary, Ottawa',
    ],
    ['{n} {s}, {c}, ON M5V 2T6', '{n} {s}, {c}, BC V6B 1A1', '{n} {s}\n{c} QC H3B 4W8'],
    ['(416) 5##-####', '+1 604-5##-####', '514-5##-####', '613.5##.####'],
  ),
  country(
    'KE',
    [
      'Wanjiru, Otieno, Kamau, Achieng, Mwangi, Njeri, Kiprono, Wambui, Odhiambo, Makena',
      'Kimani, Ochieng, Njoroge, Mutua, Wafula, Cheruiyot, Karanja, Omondi, Kariuki, Muthoni',
      'Moi Avenue, Kenyatta Avenue, Ngong Road, Biashara Street, Tom Mboya Street',
      'Nairobi, Mombasa, Kisumu, Nakuru, Eldoret',
    ],
    ['{n} {s}, {c}', '{n} {s}, {c} 001##', 'P.O. Box @###-00100, {c}'],
    ['0712 345 ###', '+254 712 345 ###', '020 234 ####', '+254 722 123 ###'],
  ),
];
