/** Returns the same pseudorandom bytes for the same seed (xorshift). */
function bytesOf(seed: number, count: number): Buffer {
  let state = seed;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0xff;
  };
  return Buffer.from(Array.from({ length: count }, next));
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const hex = (seed: number, count = 16) => bytesOf(seed, count).toString('hex');
const spelled = (seed: number, count: number, alphabet: string) =>
  [...bytesOf(seed, count)].map((byte) => alphabet[byte % alphabet.length]).join('');
const uuid = (seed: number) =>
  hex(seed).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index + 1)).join('\n');

const records = Array.from({ length: 20 }, (_, index) => ({
  id: uuid(index + 1),
  account_id: `acc_${spelled(index + 9, 20, letters + letters.toUpperCase())}`,
  createdAt: `2026-11-${String((index % 28) + 1).padStart(2, '0')}T14:03:${String(index + 10)}.482Z`,
  amount: index * 7_919 + 0.37,
  ok: index % 2 === 0,
  note: null,
  tags: ['red', 'blue'],
}));

const prose = `The gateway holds the worst-case cost of a request before it calls a provider. When the answer has
ended, it settles the hold with the exact usage. If the process ends in between, the journal on the disk says what was
called, and the next start settles it. Nothing is billed twice, and nothing that was served stays free. Operators
often ask whether this costs latency: one write to the disk, which is shared by all requests of the same tick.

"You don't understand," she said quietly. "It wasn't the weather; it was 1987, and everybody's uncle had a boat." He
laughed, although nothing about the extraordinarily complicated misunderstanding was particularly entertaining.`;

const german = `Die Donaudampfschifffahrtsgesellschaft veröffentlichte gestern überraschend ihre Geschäftszahlen. Außerdem
müssen Sachbearbeiterinnen künftig für jede Genehmigung eine Verpflichtungserklärung unterschreiben.`;

const code = `export async function settle(hold: Hold, { usage, prices }: Settlement): Promise<Receipt> {
  const costNanoUsd = usage.inputTokens * prices.input + usage.outputTokens * prices.output;
  if (costNanoUsd > hold.amountNanoUsd) throw new Error(\`cost \${costNanoUsd} > hold\`);
  for (const [index, part] of parts.entries()) {
    if (part.type === 'text') texts[index] ??= '';
    // A part that ends twice is malformed.
    else if (!seen.has(part.id) && part.size >= MIN_SIZE) queue.push({ ...part, index });
  }
  return { id: \`rcpt_\${ids.next()}\`, costNanoUsd, at: clock.now() };
}

def parse_header(self, line: bytes) -> Optional[Header]:
    name, _, value = line.partition(b":")
    return Header(name.strip().lower(), value.strip()) if _ else None
`;

const log = (index: number) =>
  `2026-11-26T15:46:${String(index % 60).padStart(2, '0')}.${hex(index, 2)} WARN [pool-${index}-thread-7] c.e.Gateway ` +
  `req=${hex(index, 8)} ip=10.0.${index}.${index * 3} "GET /api/v1/items/${index * 977}?q=%20x HTTP/1.1" 503 ${index * 31}ms`;

/** Texts of all kinds that go through a gateway. */
export const sampleTexts: Readonly<Record<string, string>> = {
  'compact JSON': JSON.stringify(records),
  'indented JSON': JSON.stringify(records, null, 2),
  'JSON in JSON': JSON.stringify(JSON.stringify(records.slice(0, 8))),
  'a list of numbers': JSON.stringify(Array.from(bytesOf(5, 400), (byte, at) => byte * at)),
  decimals: lines(60, (index) => (index * Math.PI * 1_000).toFixed(6)),
  UUIDs: lines(40, uuid),
  ULIDs: lines(40, (index) => spelled(index, 26, crockford)),
  'ids of random letters': lines(40, (index) => spelled(index, 24, letters)),
  'ids of letters and digits': lines(
    40,
    (index) => `id_${spelled(index, 21, `${letters}0123456789`)}`,
  ),
  hex: hex(7, 1_000),
  'upper hex': hex(7, 1_000).toUpperCase(),
  'a hex dump': lines(40, (index) => hex(index).replaceAll(/(..)/g, '$1 ')),
  base64: bytesOf(3, 2_000).toString('base64'),
  base64url: bytesOf(4, 2_000).toString('base64url'),
  'base64 of a text': Buffer.from(prose).toString('base64'),
  logs: lines(40, log),
  'a stack trace': lines(
    20,
    (index) => `    at com.example.Class${index}.method$${index}(Class${index}.java:${index * 37})`,
  ),
  CSV: lines(
    40,
    (index) => `${index},${index * 1_009},"Name ${index}",${(index / 7).toFixed(4)},,`,
  ),
  URLs: lines(
    30,
    (index) =>
      `https://cdn.example.com/a/${hex(index, 6)}/img_${index}.png?sig=${spelled(index, 12, letters)}&e=17${index}`,
  ),
  XML: lines(
    30,
    (index) => `<row id="${index}"><c r="B${index}" t="s"><v>${index * 3}</v></c></row>`,
  ),
  prose,
  'a short question': 'What is the capital of France?',
  chinese: '网关在调用提供商之前会先冻结请求的最高费用,回答结束后再按照实际用量结算。龘靐齉爩',
  japanese:
    'ゲートウェイは、プロバイダーを呼び出す前に最大費用を確保し、回答が終わると実際の使用量で精算します。',
  emoji: '😀 🎉 👩‍👩‍👧‍👦 🇫🇷 👍🏽 ❤️‍🔥 🧑🏿‍🚀 ✅ ⚠️ 🦩',
  symbols: '∀x∈ℝ: ⌈x⌉ = −⌊−x⌋ ⇒ α ≤ β ∧ ¬γ → ∑∫√∞ │├── └── ═══ ░▒▓ 𝔸𝕓𝕔',
  code,
  'minified code': code.replaceAll(/\s+/g, ' ').replaceAll(/ ?([=>{}():?&,]) ?/g, '$1'),
  tabs: code.replaceAll('  ', '\t'),
  'constant names': lines(20, (index) => `SLUICE_MAX_RETRY_BACKOFF_MS_${index}=XDGQVBNKJ`),
  'a table': `| a   | b    |\n| --- | ---- |\n${lines(20, (index) => `| ${index}   | x${index}   |`)}`,
  punctuation: '}}],"":{[(!=)]}&&||<>=>;;::--++**//\\\\@@##$$%%^^~~``??..,,\'\'""__',
  'white space': `a${' '.repeat(200)}b${'\n'.repeat(30)}c${'\t'.repeat(40)}d\r\n\r\n \n  \n`,
  'control characters': '\u001b[31merror\u001b[0m\u0000\u0001\u0002\u0007\u001b[2K',
};

/** Texts of other languages. */
export const scripts: Readonly<Record<string, string>> = {
  german,
  french:
    "L'été dernier, où êtes-vous allés ? Nous n'avons guère quitté l'Île-de-France, à cause des élèves.",
  polish:
    'Zażółć gęślą jaźń. Współpraca międzynarodowa wymaga ciągłych uzgodnień między państwami.',
  turkish:
    'Çekoslovakyalılaştıramadıklarımızdan mısınız? Öğretmenlerimizin görüşlerini değerlendiriyoruz.',
  vietnamese:
    'Tiếng Việt được nói ở nhiều quốc gia, và những người học thường thấy thanh điệu rất khó.',
  russian:
    'Программное обеспечение должно корректно обрабатывать непредвиденные ситуации и сообщать о них.',
  greek: 'Η κυβέρνηση ανακοίνωσε χθες τα νέα μέτρα για την προστασία του περιβάλλοντος.',
  arabic: 'تعمل البوابة على توجيه الطلبات إلى مزودي النماذج مع الحفاظ على دقة الحسابات.',
  hebrew: 'השער מנתב בקשות לספקי מודלים ושומר על חשבונות מדויקים.',
  hindi: 'यह सेवा अनुरोधों को विभिन्न मॉडल प्रदाताओं तक पहुँचाती है और सटीक हिसाब रखती है।',
  thai: 'ระบบนี้ส่งคำขอไปยังผู้ให้บริการโมเดลและเก็บบัญชีอย่างถูกต้อง',
  korean:
    '게이트웨이는 제공자를 호출하기 전에 요청의 최대 비용을 보류하고 실제 사용량으로 정산합니다.',
};
