import { task } from '../task.ts';

export const health = task('health', 'facts', {
  strong:
    'symptom*, doctor, medicine, medication, ibuprofen, paracetamol, dosage, disease, diagnos*, ' +
    'treatment, side effect, blood pressure, blood test, blood values, deficiency, headache, migraine, ' +
    'allerg*, vaccine*, vaccination, pregnan*, antibiotic*, cholesterol, diabetes, insulin, sertraline, ' +
    'depress*, anxiety, sleep apnea, blutdruck, schmerzen, nebenwirkung*, medikament*, impfung, krank, ' +
    'tsh, médecin, médicament*, douleur*, síntoma*, médico, medicamento*, dolor, embarazo, fieber, rash, ' +
    'knee, back pain, calorie*, supplements, vitamin*, 症状, 頭痛, 薬, 药, 医生, 血压, болит, симптом*, лекарств*, ' +
    'physio*, infection, my knee, knee clicks, heartburn, amoxicillin, husten, contagious, flu, covid, ' +
    'sonnenbrand, sunburn, bp, alergia, polen, water should i drink, which foods, lower back, ' +
    'months old, first foods, teething, stomach, nausea, diarrhea, constipat*, cough, sore throat, ' +
    'sinus, tooth*, zahn*, bleeding, bruise, sprain*, fracture, asthma, eczema, acne, psoriasis, ' +
    'thyroid, schilddrüse, hormon*, menopause, menstru*, period cramps, miscarriage, breastfeed*, ' +
    'contracept*, antidepress*, adhd, autism, panic attack, insomnia, schlaf*, schlaflos*, burnout, ' +
    'dementia, alzheimer*, heart attack, heart rate, arrhythm*, cancer, krebs, tumor, chemo*, mri, ' +
    'ct scan, x-ray, ultrasound scan, blood sugar, blutwerte, blutzucker, eisenmangel, magnesium, zinc, ' +
    'creatine, keto, fasting, bmi, overweight, underweight, kopfschmerz*, bauchschmerz*, rückenschmerz*, ' +
    'halsschmerz*, erkält*, grippe, tablette*, apotheke, fièvre, toux, mal de tête, grossesse, enceinte, ' +
    'vaccin, allergie, ordonnance, tension artérielle, fiebre, tos, gripe, cabeza, estómago, embarazada, ' +
    'pastilla*, presión, 发烧, 感冒, 头疼, 咳嗽, 过敏, 怀孕, 糖尿病, 失眠, 风邪, 熱, 妊娠, 血圧, アレルギー, 眠れ, температур*, кашель, ' +
    'голов*, беременн*, давлен*, аллерги*, таблетк*, ankle, swollen, melatonin, migräne, resting heart, ' +
    'keep waking, protein do i, paracetamol con, ferritin, dehydration, hilft gegen, was hilft, ' +
    'safe for kids, while pregnant, red spots, lump, numb*, tingling, dizz*, vertigo, vomit*, ' +
    'food poisoning, appetite, fatigue, caffeine, nicotine, quit smoking, hangover, blood type, immune, ' +
    'hives, sunscreen, wisdom, braces, contact lenses, eyesight, hearing loss, tinnitus, arthritis, ' +
    'osteop*, posture, stretching, marathon training, blister*, wound, stitches, cpr, first aid, ' +
    'joint pain, puedo tomar, puis-je prendre, kann ich nehmen, darf man nehmen, schwanger*, stiff neck, ' +
    'should i worry, first signs of, signs of diabetes, heart skips, skips a beat, lower cholesterol, ' +
    'going downstairs, high tsh, back pain at, pregnant week, sushi ok, sodbrennen, seit drei wochen, ' +
    "zum arzt, kalorien, abzunehmen, symptômes d'une, carence, pendant l'allaitement, allaitement, " +
    'duele, me duele, garganta, ganglios, ejercicios para el dolor, cuello, 吃药, 头晕, 肚子疼, 血糖, 症状は, 病院, ' +
    '痛みが, 眠れない, 体調, при укусе, клещ*, болит горло, efeitos colaterais, remédio, dor de, febbre, mal di, ' +
    "cold and the flu, shingles, had a stroke, rehab, kidneys, st john's wort, the pill, " +
    'interactions of, intermittent fasting safe, hashimoto, detergent, itchy, cream, teenager need, ' +
    'resting heart rate, hb, tooth hurts, after filling, symptom checker, stomach hurts, hurts on the, ' +
    'breakfast for someone, twisted my, ice or heat, can i drink alcohol with, alcohol with, vitamin d, ' +
    'per day is safe, lactose, gluten, celiac, ibs, reflux, hiv, hpv, uti, fertility, ovulation, ivf, ' +
    'prostate, mammogram, colonoscopy, statin*, metformin*, antihistamine*, probiotic*, electrolyte*, ' +
    'vegan diet deficiency, sleep better, snoring, jet lag, grief, ptsd, ocd, bipolar, self-harm, ' +
    'therapist, psychiatr*, physio, orthop*, dermatolog*, gynäkolog*, hautarzt, hausarzt, entzündung, ' +
    'durchfall, verstopfung, schwindel, ausschlag, juckreiz, médicaments, ventre, gorge, dos, règles, ' +
    'peau, piel, espalda, rodilla, hígado, riñón, sueño, hiccups, cups of coffee, eyes burn, overdose, ' +
    'mal au, safe to take, aspirin, gastritis, erkenne ich, how much protein, build muscle, wrist, 运动, ' +
    '感冒了, alimentos debo, helps against, hilft bei',
  words:
    'dose, mg, pain, health, healthy, muscle, workout, exercise for, lose weight, nutrition, blood, ' +
    'hurts, toddler, surgery, abnehmen, gesund, salud, santé, is it normal, sleeping, throat, shoulder, ' +
    'hours of sleep, while on, together with, interact*, how much water, 6 months, arzt, übelkeit, müde, ' +
    'swelling, itch*, for a 40 year old, ankles, high ferritin, wake up, 3 am, hair loss, iron, stress, ' +
    'heart, pill, mole, liver, bone, kidney, lung, lungs, during pregnancy, calories, therapy, injury, ' +
    'stroke, puls, signs of, waking up, what to do, ache, aches, sick, itch, runner, baby is, pregnant, ' +
    'signs, safe with, treat, remedy, remedies, cure, recover*, recovery, breathing, chest, elbow, ' +
    'my dad, my mom has, since yesterday, for three weeks, what does a high',
  weak:
    'fever, body, breath, hip, heel, hand, fingers, eat, normal, dangerous, age, back, run, kids, legs, ' +
    'feet, skin, eyes, ear, foot, neck, nails, drink, weight, hurt, sleep, diet, per day, exercises, ' +
    'baby, tired, alcohol, knees',
});
