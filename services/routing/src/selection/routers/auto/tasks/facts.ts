import { task, type TaskType } from './task.ts';

/** Lists the tasks that need facts, and those with pictures. */
export const factTasks: readonly TaskType[] = [
  task('vision:description', 'vision', {
    strong:
      'in this picture, in this image, this photo, this picture, this image, alt text, screenshot',
    words: 'picture, image, photo, describe, bild, imagen, foto, chart, diagram, sign',
    weak: 'see, what is, what does, count, read',
  }),
  task('finance', 'facts', {
    strong:
      'stock*, invest*, portfolio, tax, taxes, mortgage, index fund, etf, interest rate*, pension, ' +
      'retirement, 401k, roth, ira, accounting, balance sheet, cash flow, depreciat*, fifo, dividend*, ' +
      'inflation*, credit score, emergency fund, steuer*, kredit, aktie*, hypothek*, abschreib*, ' +
      'umsatzsteuer, impôt*, impuesto*, hipoteca, invertir, placement, capital gains, vat, net worth, ' +
      'valuation, ebitda, 股票, 基金, 税, 投資, 年金, налог*, ипотек*, crypto, bitcoin, savings account, ' +
      'break-even, venture capital, afford, debt to equity, covered calls, call option*, ' +
      'gross and net, net margin, consolidate my, rentenversicherung, lebensversicherung, ' +
      'revenus locatifs, declarar, déclarer, amortizar, freelancer*, charge vat, ebit, roi, irr, npv, ' +
      'wacc, p/e, market cap, hedge fund*, hedg*, options trading, short selling, liquidity, annuit*, ' +
      'treasury, estate tax, tax return, deduct*, write off, invoice payment terms, payroll, payslip, ' +
      'overdraft, apr, apy, down payment, foreclosure, steuererklärung, gewinn, bilanz, girokonto, ' +
      'tagesgeld, zins*, livret, épargne, assurance vie, intérêts, ahorrar, préstamo, hacienda, irpf, ' +
      'acciones, bolsa, 理财, 股市, 贷款, 房贷, 复利, 所得税, 株, 住宅ローン, 確定申告, nisa, акци*, вклад, кредит*, ' +
      'budgeting, financial*, finanz*, finanzas, finances, refinance, dollar cost, ' +
      'save for retirement, homeoffice von der steuer, von der steuer absetzen, absetzen, rsu, rsus, ' +
      'taxed, cuenta remunerada, remunerada, financial advisor, passive income, side hustle income, ' +
      'stock exchange, ipo, spac, ticker, bull market, bear market, recession, exchange rate risk, ' +
      'sparplan, dispo, kreditkarte, carte bancaire, tarjeta, nómina, autónomo, micro-entrepreneur, ' +
      'tfsa, 529, hsa, roth ira',
    words:
      'revenue, loan, debt*, savings, earn, insurance, profit, margin, refinanc*, sparen, geld, ' +
      'ahorro, dinero, argent, euro, pay off, deductible, bookkeeping, house can i, mortgage is, ' +
      'how much money, good debt, paying off, buy or rent, buy or lease, broker, retire, ' +
      'cost of living, isa, cash, depot, bonds, bond, salary, rente, fonds, save for, spending, ' +
      'expense*, inventory, credit card debt*',
    weak:
      'pay, cost, costs, price, fund, account, %, enough, months, market, rate, raise, wage, interest, ' +
      'fees, monthly, cards, equity, invoice, bank, income, money, budget, rent',
  }),
  task('legal', 'facts', {
    strong:
      'clause, lawsuit, liab*, legal*, copyright, gdpr, dsgvo, tenant*, landlord*, my rights, ' +
      'enforceable, nda, non-compete, terms of service, privacy policy, agpl, gpl, trademark, patent, ' +
      'sue, statute, employment law, kündig*, mietvertrag, arbeitgeber, vermieter, anwalt, rechtlich, ' +
      'haftung, gesetz, droit*, loi, licenciement, despido, contrato, derecho*, ley, inquilino, ' +
      'arrendador, inherit*, custody, wrongful, small claims, power of attorney, immigration, divorce, ' +
      '法律, 合同, 契約, 著作権, закон, договор, can my boss, my lease, break my lease, record a phone call, ' +
      'homemade, inherits, no will, verbal contract*, binding, indemnif*, indemnity, non-disclosure, ' +
      'disclosure agreement, devolver, desistimiento, congés, employeur, kaution, nebenkosten, mieter, ' +
      'miete, darf mein, darf ich, widerruf*, abmahnung, impressum, urheberrecht, datenschutz, erbe, ' +
      'testament, scheidung, unterhalt, arrested, felony, misdemeanor, attorney, lawyer, abogado, ' +
      'avocat, juristisch, legit to, squatter*, evict*, easement, zoning, fair use, public domain, ' +
      'creative commons, ccpa, hipaa, liability waiver, waiver, severance, overtime pay, at-will, ' +
      'unfair dismissal, discriminat*, harass*, defamation, libel, subpoena, contract law, bankrupt*, ' +
      'prenup*, alimony, child support, divorcio, herencia, alquiler, casero, fianza, despedir, ' +
      'finiquito, loyer, propriétaire, locataire, héritage, rgpd, préavis, 违法, 合法, 劳动法, 版权, 租房, 離婚, ' +
      '相続, 解雇, 違法, 労働, увольн*, суд, аренд*, наследств*, неустойк*, be fired, sick leave, admissible, ' +
      'kündigungsfrist, on my land, cookies banner*, minor sign, mes droits, annulé, rental agreement, ' +
      'simple agreement, sign a contract, lease agreement, landlord enter, security deposit, ' +
      'can i sue, am i allowed, must i, bin ich verpflichtet, puedo reclamar, puis-je, ai-je le droit, ' +
      'tengo derecho, intellectual property, parking ticket, court date, witness, will and, affidavit, ' +
      'notary, notar, arbeitsvertrag, probezeit, urlaubsanspruch, garantie, gewährleistung, rücktritt, ' +
      'vol annulé, flight was canceled, compensation',
    words:
      'contract, vertrag, contrat, law, notice period, deposit, allowed to, illegal, breach, ' +
      'compliance, consent, elternzeit, warranty, jurisdiction, is it legal, do i need a license, ' +
      'allowed, refuser, dispute, ownership, without notice, refund rights, insurance claim, ' +
      'speeding ticket, under gdpr, cookies, agreement for, draft a contract, rights, boss, charges, ' +
      'fence, evidence, court, bail, my neighbor, neighbour, a will, do i have to, do we have to, ' +
      'are they allowed, can they, muss ich, visa, license, licence, lease, recht',
    weak:
      'terms, rule, company, period, section, fine, fines, minor, signed, employee, sell, refuse, ' +
      'fired, police, will, permit, employer, contracts, agreement',
  }),
  task('health', 'facts', {
    strong:
      'symptom*, doctor, medicine, medication, ibuprofen, paracetamol, dosage, disease, diagnos*, ' +
      'treatment, side effect*, blood pressure, blood test, blood values, deficiency, headache, ' +
      'migraine, allerg*, vaccine*, vaccination, pregnan*, antibiotic*, cholesterol, diabetes, ' +
      'insulin, sertraline, depress*, anxiety, sleep apnea, blutdruck, schmerzen, nebenwirkung*, ' +
      'medikament*, impfung, krank, tsh, médecin, médicament*, douleur*, síntoma*, médico, ' +
      'medicamento*, dolor, embarazo, fieber, fever, rash, knee, back pain, calorie*, supplements, ' +
      'vitamin*, 症状, 頭痛, 薬, 药, 医生, 血压, болит, симптом*, лекарств*, physio*, infection, my knee, ' +
      'knee clicks, heartburn, amoxicillin, husten, contagious, flu, covid, sonnenbrand, sunburn, bp, ' +
      'alergia, polen, water should i drink, which foods, lower back, months old, first foods, ' +
      'teething, stomach, nausea, diarrhea, constipat*, cough, sore throat, sinus, tooth*, zahn*, ' +
      'bleeding, bruise, sprain*, fracture, asthma, eczema, acne, psoriasis, thyroid, schilddrüse, ' +
      'hormon*, menopause, menstru*, period cramps, miscarriage, breastfeed*, contracept*, ' +
      'antidepress*, adhd, autism, panic attack*, insomnia, schlaf*, schlaflos*, burnout, dementia, ' +
      'alzheimer*, heart attack, heart rate, arrhythm*, cancer, krebs, tumor, chemo*, mri, ct scan, ' +
      'x-ray, ultrasound scan, blood sugar, blutwerte, blutzucker, eisenmangel, magnesium, zinc, ' +
      'creatine, keto, fasting, bmi, overweight, underweight, kopfschmerz*, bauchschmerz*, ' +
      'rückenschmerz*, halsschmerz*, erkält*, grippe, tablette*, apotheke, fièvre, toux, mal de tête, ' +
      'grossesse, enceinte, vaccin, allergie, ordonnance, tension artérielle, fiebre, tos, gripe, ' +
      'cabeza, estómago, embarazada, pastilla*, presión, 发烧, 感冒, 头疼, 咳嗽, 过敏, 怀孕, 糖尿病, 失眠, 风邪, 熱, 妊娠, ' +
      '血圧, アレルギー, 眠れ, температур*, кашель, голов*, беременн*, давлен*, аллерги*, таблетк*, ankle, ' +
      'swollen, melatonin, migräne, resting heart, keep waking, protein do i, paracetamol con, ' +
      'ferritin, dehydration, hilft gegen, was hilft, safe for kids, while pregnant, red spots, lump, ' +
      'numb*, tingling, dizz*, vertigo, vomit*, food poisoning, appetite, fatigue, caffeine, nicotine, ' +
      'quit smoking, hangover, blood type, immune, hives, sunscreen, wisdom, braces, contact lenses, ' +
      'eyesight, hearing loss, tinnitus, arthritis, osteop*, posture, stretching, marathon training, ' +
      'blister*, wound, stitches, cpr, first aid, joint pain, puedo tomar, puis-je prendre, ' +
      'kann ich nehmen, darf man nehmen, schwanger*',
    words:
      'dose, mg, pain, health, healthy, muscle, workout, exercise for, lose weight, nutrition, blood, ' +
      'hurts, toddler, surgery, abnehmen, gesund, salud, santé, is it normal, should i worry, ' +
      'sleeping, throat, shoulder, hours of sleep, while on, together with, interact*, how much water, ' +
      '6 months, arzt, übelkeit, müde, swelling, itch*, for a 40 year old, ankles, high ferritin, ' +
      'wake up, 3 am, hair loss, iron, stress, heart, pill, mole, liver, bone, kidney, lung, lungs, ' +
      'during pregnancy, calories, therapy, injury, stroke, puls, signs of, waking up',
    weak:
      'eat, normal, dangerous, age, back, run, kids, legs, feet, skin, eyes, ear, foot, neck, nails, ' +
      'drink, weight, hurt, sleep, diet, per day, exercises, baby, tired, alcohol, knees',
  }),
  task('qa_knowledge', 'facts', {
    strong:
      'who wrote, who is, who was, who invented, when was, when did, where is, capital of, ' +
      'tell me about, history of, how long do, how long does, how far, how old, how tall, ' +
      'which country, which year, what year, what are the main, wer war, wer ist, wann wurde, ' +
      'wo liegt, hauptstadt, quién, cuándo, dónde, qui a, quand, où se, quelle est la, was ist der, 谁, ' +
      '什么是, 哪个, 誰, いつ, どこ, кто, когда, где, population of, battle of, tallest, who composed, ' +
      'komponiert, best time of year, how to remove, how do i tie, stand for, stands for, ' +
      'what do pandas, electoral college, cuántos, cuántas, wie hoch, wie weit, wie heißt, ' +
      'in welchem jahr, berlin wall, world war, roman empire, president of, king of, prime minister, ' +
      'official language, currency of, longest river, first person to, year did, how do you cook, ' +
      'how to cook, how to clean, boil an egg, recipe for, origin of, when are, plot of, who plays, ' +
      'who directed, who discovered, who painted, religion, festival, wie macht man, wie kocht man, ' +
      'cómo se hace, comment faire, 什么时候, 是什么, 首都, 多少, 怎么做, とは何, 作り方, 誰が, なぜ, что такое, ' +
      'сколько стоит, столица, почему, what is the currency, pronounce, daylight saving, ' +
      'what does sine, wie hoch ist, how many strings, baking soda, quien escribió, moons, ' +
      'stock exchange open, substitute for, rules of offside, offside, part of the eu, night watch, ' +
      'how is called, what do you call, how much does a, how heavy, how deep, most populous, ' +
      'best known for, nationality, anthem, flag of, world record, nobel*, oscar*, eurovision, ' +
      'world cup, bible, mythology, greek god, philosopher*, monument, museum in, unesco, time zone, ' +
      'postal code, dial code, antonym*, etymolog*, grammar rule, how is easter, leap year, ' +
      'coffee beans, tie a, poach, marinate, freeze bread, houseplant*, prune, fertiliz*, dog breed*, ' +
      'do cats, do dogs, feed a',
    words:
      "meaning of, qu'est-ce, c'est quoi, can i bring, countries, mountain, river, empire, olympic*, " +
      'crocodile, carpet, stain, holiday, invented, luggage, passport, airport, egg, cook, bake, ' +
      'rules of, équipe, currency, cello, dom, soda, painted, football, greenland, tree height, chess, ' +
      'poker, novel by, song by, band, largest, smallest, fastest, capital, capitale, wash, fold, ' +
      'knit, grill, spell, spelled, known for, famous for, oldest, synonym*, plural of, past tense of, ' +
      'recipe, wie lange, wie viele, combien de, wie alt, where do, where does, when is, ' +
      'how do you make, how big, how fast, how high, author of, tomato, composer, painter',
    weak:
      'what, why, how, explain, which, does, wie, warum, cómo, comment, can i, is there, what is, ' +
      'what are, who, when, where, how many, how long, define, difference between, was ist, was sind, ' +
      'qué es, cuál, why do, why is, is it true, how do i, should i, why did, how did, is a, do i, ' +
      'wine, history, meaning, animal, team, century, season, players, city, country, island, fruit, ' +
      'language, actor, album, war',
  }),
];
