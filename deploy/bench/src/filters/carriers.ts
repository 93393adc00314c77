type Texts = readonly [string, ...string[]];

/** Texts around content of each kind. */
export const carriers: Readonly<Record<string, Texts>> & Readonly<Record<CarrierLabel, Texts>> = {
  EMAIL: [
    'Please write to {EMAIL} before Friday.',
    'From: {PERSON_NAME} <{EMAIL}>\nSubject: Invoice 20##-##',
    '{"email": "{EMAIL}", "plan": "pro"}',
    'cc {EMAIL}, {EMAIL}; thanks',
    'mailto:{EMAIL}?subject=hi',
    'id,mail\n1#,{EMAIL}\n2#,{EMAIL}',
    '2026-01-1# 10:2#:33 WARN login failed for {EMAIL} from {IP_ADDRESS}',
    "What's the status of {EMAIL}'s ticket?",
  ],
  PHONE: [
    'Call me at {PHONE} after 5.',
    'Phone: {PHONE}',
    'My number is {PHONE}, thanks.',
    'You can reach {PERSON_NAME} at {PHONE}.',
    '{"phone": "{PHONE}"}',
    'Tel. {PHONE} / {EMAIL}',
    'Mobile {PHONE}\nEmail {EMAIL}',
    'WhatsApp {PHONE} if it is urgent',
    'Contact {PERSON_NAME}, {PHONE}.',
    'Fax: {PHONE}',
  ],
  SSN: [
    'My SSN is {SSN}.',
    'Social security number: {SSN}',
    'ssn={SSN}&dob=19##-0@-1#',
    '{"ssn":"{SSN}","state":"CA"}',
    'The applicant {PERSON_NAME} ({SSN}) was approved.',
    'Please verify {SSN} for the background check',
    'name;ssn\nx;{SSN}',
  ],
  CREDIT_CARD: [
    'Charge my card {CREDIT_CARD}, exp 0@/2#.',
    'Card number: {CREDIT_CARD}',
    '{"pan":"{CREDIT_CARD}","cvv":"12#"}',
    'I paid with {CREDIT_CARD} yesterday.',
    'Visa ending soon: {CREDIT_CARD} CVC 3##',
    'refund to {CREDIT_CARD} please',
  ],
  IP_ADDRESS: [
    'Connection from {IP_ADDRESS} refused',
    'ping {IP_ADDRESS}',
    '{"client_ip":"{IP_ADDRESS}"}',
    'host={IP_ADDRESS} port=5432',
    'Blocked {IP_ADDRESS}, {IP_ADDRESS} and 3 others.',
    '{IP_ADDRESS} - - [10/Oct/2026:13:55:36] "GET / HTTP/1.1" 200 23##',
  ],
  PERSON_NAME: [
    'My name is {PERSON_NAME}.',
    'Dear {PERSON_NAME},\n\nthank you for your order.',
    '{PERSON_NAME} called about the delivery.',
    'I met {PERSON_NAME} at the conference in June.',
    'Please assign the ticket to {PERSON_NAME} today.',
    'Kind regards,\n{PERSON_NAME}',
    'The contract was signed by {PERSON_NAME} and {PERSON_NAME}.',
    '{"customer": {"name": "{PERSON_NAME}", "tier": 2}}',
    'Patient: {PERSON_NAME}, born 12 May 19##',
    'Dr. {PERSON_NAME} will see you now.',
    'According to {PERSON_NAME}, the budget is fine.',
    "{PERSON_NAME}'s laptop is broken.",
  ],
  ADDRESS: [
    'Ship it to {ADDRESS}.',
    'I live at {ADDRESS}',
    'Address: {ADDRESS}',
    'Our new office is at {ADDRESS}, come by!',
    '{PERSON_NAME}\n{ADDRESS}',
    'The parcel for {ADDRESS} was returned.',
    '{"address": "{ADDRESS}"}',
    'deliver to:\n{ADDRESS}\nbefore noon',
  ],
  SECRET: [
    'export API_TOKEN={SECRET}',
    'my key is {SECRET} please rotate it',
    '{"token":"{SECRET}"}',
    'Authorization: {SECRET}',
    'curl -H "X-Key: {SECRET}" https://example.com',
    'const key = "{SECRET}";',
  ],
};

type CarrierLabel =
  | 'EMAIL'
  | 'PHONE'
  | 'SSN'
  | 'CREDIT_CARD'
  | 'IP_ADDRESS'
  | 'PERSON_NAME'
  | 'ADDRESS'
  | 'SECRET';

/** Texts without any content of these kinds. `#` is a digit. */
export const nearMisses: Texts = [
  'Upgrade to version 1.2.3.4##7 or later.',
  'Order 4111-2222-3333-444 was shipped.',
  'The invoice number is 9##-##-####.',
  'SSN 000-12-3456 and 666-45-6789 are invalid examples.',
  'See ISBN 978-3-16-148410-# for details.',
  'Meeting on 2026-0@-1# at 10:30, room 12#.',
  'npm install @types/node@24.1.#',
  'Tracking number 1Z 999 AA1 01 2345 678#',
  'Coordinates 52.52##, 13.40## are in the middle of the city.',
  'The ratio was 0.12345678#9 in the last run.',
  'Commit 3f786850e387550fdab836ed7e6dc881de23001# broke the build.',
  'id: 550e8400-e29b-41d4-a716-44665544000#',
  'Set OPENAI_API_KEY to sk-xxxxxxxxxxxxxxxxxxxxxxxx in the settings.',
  'New York and San Francisco are large cities in the United States.',
  'Microsoft Teams and Google Cloud Platform are supported.',
  'The Battle of Hastings was in 1066.',
  'In January and February the Quarterly Report is due.',
  'std::vector<int> a; a::b::c; fe::ed()',
  'The price rose from $1,234.5# to $2,345.6#.',
  'Article 12 Section 3 of the Agreement applies.',
  'Release 10.0.1#.2 of the driver fixes this.',
  'It takes 3 Business Days; 24 Hours at most.',
  'Time 12:34:5#, MAC 00:1A:2B:3C:4D:5#',
  'Top 10 Best Places to visit in Europe',
  'Class HttpRequestHandler extends BaseHandler',
  'Machine Learning Engineers use Python and Kubernetes.',
  'Total: 12 345 67#,00 EUR',
  'Ticket #12345678# was closed by the Support Team.',
  '5 Main Reasons Why Projects Fail',
  'The Golden Gate Bridge opened in 1937.',
];
