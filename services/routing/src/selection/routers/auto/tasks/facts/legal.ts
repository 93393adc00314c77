import { task } from '../task.ts';

export const legal = task('legal', 'facts', {
  strong:
    'clause, lawsuit, liab*, legal*, copyright, gdpr, dsgvo, tenant*, landlord*, my rights, enforceable, ' +
    'nda, non-compete, terms of service, privacy policy, agpl, gpl, trademark, patent, sue, statute, ' +
    'employment law, kündig*, mietvertrag, arbeitgeber, vermieter, anwalt, rechtlich, haftung, gesetz, ' +
    'droit*, loi, licenciement, despido, contrato, derecho*, ley, inquilino, arrendador, inherit*, ' +
    'custody, wrongful, small claims, power of attorney, immigration, divorce, 法律, 合同, 契約, 著作権, закон, ' +
    'договор, can my boss, my lease, break my lease, record a phone call, homemade, inherits, no will, ' +
    'verbal contract, binding, indemnif*, indemnity, non-disclosure, disclosure agreement, devolver, ' +
    'desistimiento, congés, employeur, kaution, nebenkosten, mieter, miete, darf mein, darf ich, ' +
    'widerruf*, abmahnung, impressum, urheberrecht, datenschutz, erbe, testament, scheidung, unterhalt, ' +
    'arrested, felony, misdemeanor, attorney, lawyer, abogado, avocat, juristisch, legit to, squatter*, ' +
    'evict*, easement, zoning, fair use, public domain, creative commons, ccpa, hipaa, liability waiver, ' +
    'waiver, severance, overtime pay, at-will, unfair dismissal, discriminat*, harass*, defamation, ' +
    'libel, subpoena, contract law, bankrupt*, prenup*, alimony, child support, divorcio, herencia, ' +
    'alquiler, casero, fianza, despedir, finiquito, loyer, propriétaire, locataire, héritage, rgpd, ' +
    'préavis, 违法, 合法, 劳动法, 版权, 租房, 離婚, 相続, 解雇, 違法, 労働, увольн*, суд, аренд*, наследств*, неустойк*, ' +
    'be fired, sick leave, admissible, kündigungsfrist, on my land, cookies banner, minor sign, ' +
    'mes droits, annulé, rental agreement, simple agreement, sign a contract, lease agreement, ' +
    'landlord enter, security deposit, can i sue, am i allowed, must i, bin ich verpflichtet, ' +
    'puedo reclamar, puis-je, ai-je le droit, tengo derecho, intellectual property, parking ticket, ' +
    'court date, witness, will and, affidavit, notary, notar, arbeitsvertrag, probezeit, ' +
    'urlaubsanspruch, garantie, gewährleistung, rücktritt, vol annulé, flight was canceled, ' +
    'compensation, terminate a lease, lease early, sign a non compete, non compete, is it legal, ' +
    'is it allowed, who pays, gpl license, mit license, apache 2.0, license for, sell a fork, ' +
    'rejected candidates, how long may we, terms unfair, unfair to the user, do i need a will, ' +
    'can they fire, fire me, statute of limitations, unpaid invoice in, kündigungsfrist für, ' +
    'vom vertrag, zurücktreten, haftungsausschluss*, klausel, darf mein chef, darf der, dürfen, ' +
    'rétracter, me rétracter, augmenter le loyer, est-ce légal, me pueden, despedir estando, de baja, ' +
    'cláusula, confidencialidad, 加班费, 仲裁, 租房合同, 房东, 权利, 劳动合同, 赔偿, 起诉, 訴える, 訴え, 騒音, 権利, 契約書, могу ли я, ' +
    'вернуть товар, имею ли право, posso recedere, contratto, hold harmless, letter from a lawyer, ' +
    'privacy policy for, managing director, personally liable, liability does, in my review video, ' +
    'without my consent, move abroad with the child, entitled to, am i entitled, eu261, ' +
    'register a trademark, employee or contractor, search my car, do i have to agree, comes in without, ' +
    'without asking, cease and desist, draft a cease, legal information, mutual nda, non disclosure, ' +
    'is a verbal, terms and conditions, service agreement, contractor agreement, employment contract, ' +
    'work contract, power of, guardianship, probate, estate, executor, heirs, deportation, asylum, ' +
    'work permit, green card, citizenship, antitrust, data protection, data breach notification, ' +
    'processor agreement, dpa, age of consent, self-defense, self defense, perjury, plea, bail, tort, ' +
    'negligence, malpractice, arbitration, mediation clause, force majeure, betriebsrat, mutterschutz, ' +
    'schadensersatz, verjährung, mietminderung, eigenbedarf, erbrecht, bußgeld, garantie légale, ' +
    "licencié, démission, prud'hommes, garantía, demandar, denunciar, multa, custodia, 民法, 刑法, 合同法, 裁判, " +
    '損害賠償, wem gehört, am i liable, slips on, ask about pregnancy, legalmente, selling the flat, ' +
    'raise the rent, draft terms, loan agreement, cookie banner, nach der kündigung, que dit la loi, ' +
    'flight is delayed',
  words:
    'contract, vertrag, contrat, law, notice period, deposit, allowed to, illegal, breach, compliance, ' +
    'consent, elternzeit, warranty, jurisdiction, do i need a license, allowed, refuser, dispute, ' +
    'ownership, without notice, refund rights, insurance claim, speeding ticket, under gdpr, cookies, ' +
    'agreement for, draft a contract, rights, boss, charges, fence, evidence, my neighbor, neighbour, ' +
    'a will, do i have to, do we have to, are they allowed, can they, muss ich, visa, license, licence, ' +
    "lease, recht, deposit back, refund, contractor, neighbor's, entitled, unfair, legally, unpaid, " +
    'tenants, gmbh, liable, consumer, boss wants, photo from',
  weak:
    'court, sign, terminate, tree, police, owner, quit, abroad, images, terms, rule, company, period, ' +
    'section, fine, fines, minor, signed, employee, sell, refuse, fired, will, permit, employer, ' +
    'contracts, agreement',
});
