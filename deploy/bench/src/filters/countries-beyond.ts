import { country, type Country } from './countries-format.ts';

export const beyond: readonly Country[] = [
  country({
    code: 'IN',
    given: [
      'Aarav, Priya, Rohan, Ananya, Vikram, Deepika, Sanjay, Lakshmi, Arjun, Meenakshi, Harpreet, Kavya, Subramaniam',
      'Faisal, Shabnam, Nikhil, Aishwarya, Ganesh, Pooja, Debashish, Sushmita, Manoj, Jyoti, Venkatesh, Asha, Tejas',
    ],
    family: [
      'Sharma, Patel, Iyer, Reddy, Mukherjee, Gupta, Nair, Chaudhary, Krishnamurthy, Deshpande, Singh, Kaur, Khan',
      'Banerjee, Venkataraman, Joshi, Pillai, Agarwal, Bhattacharya, Menon, Rao, Das, D’Souza, Fernandes, Kulkarni',
      'Chatterjee, Yadav',
    ],
    streets: [
      'MG Road, Nehru Street, Linking Road, Anna Salai, Park Street, Brigade Road, Sardar Patel Marg, Hill Road',
      '4th Cross Street, Rajpur Road, Lal Bahadur Shastri Marg, 100 Feet Road, Gandhi Nagar Main Road',
    ],
    cities: [
      'Mumbai/Maharashtra/4000##, Bengaluru/Karnataka/5600##, Chennai/Tamil Nadu/6000##, Kolkata/West Bengal/7000##',
      'New Delhi/Delhi/1100##, Hyderabad/Telangana/5000##, Pune/Maharashtra/4110##, Jaipur/Rajasthan/3020##',
    ],
    lines: [
      '{n}, {s}, {c} {p}',
      'Flat {u}03, {n} {s}, {c} - {p}',
      'Plot No. {n}, {s}, {c}, {r} {p}',
    ],
    blocks: ['{n} {s}\n{c} {p}', 'H. No. {n}/{u}\n{s}\n{c} - {p}\n{r}, India'],
    national: '98765 4####, 022 2345 ####, 98200#####, 080-2345 ####, 09876 54####',
    international: '+91 98765 4####, +91-98200-#####, +91 22 2345 ####, +919876######',
  }),
  country({
    code: 'JP',
    given: [
      'Hiroshi, Yuki, Takashi, Sakura, Kenji, Aiko, Haruto, Keiko, Daisuke, Naomi, Ryosuke, Miho, Shinji, Yoko',
      'Kazuo, Emi, Tatsuya, Chihiro, Sho, Rin, Makoto, Fumiko, Ichiro, Kana, Jun, Setsuko',
    ],
    family: [
      'Tanaka, Suzuki, Yamamoto, Watanabe, Nakamura, Kobayashi, Ito, Fujiwara, Matsumoto, Ogawa, Sato, Takahashi',
      'Kato, Yoshida, Yamada, Sasaki, Inoue, Kimura, Hayashi, Shimizu, Mori, Abe, Ikeda, Hashimoto, Ishikawa, Ono',
    ],
    streets: [
      'Shibuya, Roppongi, Ginza, Umeda, Sakae, Nishi-Shinjuku, Higashiyama, Motomachi, Tenjin, Kita 3-jo Nishi, Hakata',
      'Minami-Aoyama, Dogenzaka',
    ],
    cities: [
      'Tokyo//150-00##, Osaka//530-00##, Nagoya//460-00##, Kyoto//600-80##, Fukuoka//810-00##, Sapporo//060-00##',
      'Yokohama//220-00##, Kobe//650-00##',
    ],
    lines: [
      '1-{u}-3 {s}, {c} {p}',
      '{u}-2-1 {s}, Minato-ku, {c} {p}',
      '{u}-5 {s}, Naka-ku, {c} {p}, Japan',
    ],
    blocks: ['3-2-{u} {s}\n{c} {p}', '3-2-{u} {s}\n{c} {p}\nJAPAN'],
    national:
      '03-1234-####, 090-1234-####, 06-6345-####, 080 1234 ####, 0120-123-###, (03) 3234-####',
    international: '+81 3-1234-####, +81 90-1234-####, +81 6 6345 ####, +81901234####',
  }),
  country({
    code: 'NG',
    given: [
      'Chinedu, Ngozi, Oluwaseun, Aisha, Emeka, Folake, Babatunde, Zainab, Ifeanyi, Yetunde, Blessing, Godwin',
      'Chiamaka, Segun, Halima, Uche, Temitope, Obinna, Funmilayo, Musa, Adaeze, Kelechi, Patience, Ikechukwu, Amina',
      'Sunday',
    ],
    family: [
      'Okafor, Adeyemi, Balogun, Eze, Ibrahim, Nwosu, Okonkwo, Abubakar, Olawale, Danjuma, Ogunleye, Chukwu, Bello',
      'Adebayo, Obi, Onyekachi, Lawal, Uzor, Akinwande, Yusuf, Nnamdi, Ekwueme, Oladipo, Effiong, Suleiman, Igwe',
    ],
    streets: [
      'Awolowo Road, Allen Avenue, Broad Street, Ahmadu Bello Way, Herbert Macaulay Street, Adeola Odeku Street',
      'Aba Road, Zaria Road, Ring Road, Bode Thomas Street, Ogui Road, Admiralty Way',
    ],
    cities: [
      'Lagos/Lagos State/1002##, Abuja/FCT/9002##, Ibadan/Oyo State/2002##, Kano/Kano State/7002##',
      'Port Harcourt/Rivers State/5002##, Enugu/Enugu State/4001##',
      'Benin City/Edo State/3002##, Kaduna/Kaduna State/8002##',
    ],
    lines: ['{n} {s}, {c}', '{n}, {s}, {c} {p}', 'No. {n} {s}, {c}, {r}'],
    blocks: ['{n} {s}\n{c} {p}', 'Block {u}, {n} {s}\n{c}\n{r}\nNigeria'],
    national: '0803 123 ####, 0902 345 ####, 0701 234 ####, 08031######, 0813-234-####',
    international: '+234 803 123 ####, +234 902 345 ####, +234 (0)803 123 ####, +23480312#####',
  }),
  country({
    code: 'ZA',
    given: [
      'Thabo, Lerato, Sipho, Naledi, Pieter, Annelie, Bongani, Zanele, Riaan, Nomvula, Kagiso, Precious',
      'Johan, Elmarie',
      'Mpho, Ayanda, Rajesh, Fatima, Gift, Tshepo, Marietjie, Themba, Nosipho, Dirk, Lindiwe, Jaco',
    ],
    family: [
      'Nkosi, Dlamini, van der Merwe, Botha, Mokoena, Khumalo, Naidoo, Pretorius, Mthembu, Sithole, Zulu, Venter',
      'du Plessis, Ngcobo, Govender, Jacobs, Mahlangu, le Roux, Molefe, Steyn, Adams, Radebe, Joubert, Tshabalala',
      'Petersen, Ndlovu',
    ],
    streets: [
      'Long Street, Jan Smuts Avenue, Main Road, Church Street, Oxford Road, Voortrekker Rd, Nelson Mandela Drive',
      'Florida Road, Kerkstraat, Rivonia Boulevard, Buitengracht Street, Albertina Sisulu Road',
    ],
    cities: [
      'Cape Town//80##, Johannesburg//2###, Durban//40##, Pretoria//00##, Bloemfontein//93##, East London//52##',
      'Gqeberha//60##, Polokwane//06##',
    ],
    lines: ['{n} {s}, {c}, {p}', '{n} {s}, {c} {p}', 'Unit {u}, {n} {s}, {c}, {p}'],
    blocks: ['{n} {s}\n{c}\n{p}', 'PO Box {n}{u}\n{c}\n{p}', '{n} {s}\n{c}\n{p}\nSouth Africa'],
    national: '021 123 ####, 082 123 ####, (011) 234 ####, 0821######, 073-234-####',
    international: '+27 21 123 ####, +27 82 123 ####, +27 (0)11 234 ####, +2782123####',
  }),
  country({
    code: 'KE',
    given: [
      'Wanjiru, Otieno, Kamau, Achieng, Mwangi, Njeri, Kiprono, Wambui, Odhiambo, Makena, Faith, Brian, Mercy, Kevin',
      'Akinyi, Kipchoge, Halima, Juma, Nyambura, Collins, Chebet, Atieno, Joyce, Dennis, Wangari, Abdi',
    ],
    family: [
      'Kimani, Ochieng, Njoroge, Mutua, Wafula, Cheruiyot, Karanja, Omondi, Kariuki, Muthoni, Kiplagat, Maina, Onyango',
      'Gitau, Barasa, Koech, Musyoka, Waweru, Hassan, Rotich, Nyong’o, Macharia, Kilonzo, Wekesa, Ndungu, Owino',
    ],
    streets: [
      'Moi Avenue, Kenyatta Avenue, Ngong Road, Biashara Street, Tom Mboya Street, Oginga Odinga Road, Uhuru Highway',
      'Kimathi Street, Waiyaki Way, Nkrumah Road, Lumumba Drive, Riverside Drive',
    ],
    cities: [
      'Nairobi//001##, Mombasa//801##, Kisumu//401##, Nakuru//201##, Eldoret//301##, Thika//010##, Nyeri//101##',
      'Malindi//802##',
    ],
    lines: ['{n} {s}, {c}', '{n} {s}, {c} {p}', 'P.O. Box {n}{u} - {p}, {c}'],
    blocks: ['{n} {s}\n{c} {p}', 'P.O. Box {n}{u}\n{p} {c}\nKenya'],
    national: '0712 345 ###, 020 234 ####, 0722-123-###, 0733 123 ###, 0712######',
    international: '+254 712 345 ###, +254 722 123 ###, +254 20 234 ####, +254712######',
  }),
  country({
    code: 'AU',
    given: [
      'Jack, Charlotte, Lachlan, Matilda, Cooper, Sienna, Angus, Bronwyn, Darcy, Tahlia, Hayden, Kirra, Shane, Kylie',
      'Dimitri, Mei, Bruce, Sheila, Zac, Ruby, Declan, Indigo, Trent, Gemma, Craig, Summer',
    ],
    family: [
      "Smith, Nguyen, Campbell, O'Brien, MacDonald, Papadopoulos, Kelly, Harrison, Fitzgerald, Clarke, Walker, Stone",
      'Tran, Hawkins, Lawson, Murray, Kennedy, Robinson, Petrov, Cameron, Webb, Chambers, West, Fox, Gibson, Wilkinson',
    ],
    streets: [
      'George Street, Collins Street, Queen Street, Pacific Highway, Elizabeth Street, Bondi Rd, Wattle Grove',
      'Kangaroo Court, St Kilda Road, North Terrace, The Esplanade, Hay St, Boomerang Parade',
    ],
    cities: [
      'Sydney/NSW/20##, Melbourne/VIC/30##, Brisbane/QLD/40##, Perth/WA/60##, Adelaide/SA/50##, Hobart/TAS/70##',
      'Canberra/ACT/26##, Darwin/NT/08##, Surry Hills/NSW/20##',
    ],
    lines: ['{n} {s}, {c} {r} {p}', 'Unit {u}, {n} {s}, {c} {r} {p}', '{u}/{n} {s}, {c}, {r} {p}'],
    blocks: ['{n} {s}\n{c} {r} {p}', 'Level {u}\n{n} {s}\n{c} {r} {p}\nAustralia'],
    national: '(02) 9123 ####, 0412 345 ###, 03 9234 ####, 1300 123 ###, 0412345###, 08 9234 ####',
    international: '+61 2 9123 ####, +61 412 345 ###, +61 (0)3 9234 ####, +61412345###',
  }),
];
