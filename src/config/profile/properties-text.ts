/** A property of a file, and the line it begins on, from 1. */
export interface Property {
  readonly value: string;
  readonly line: number;
}

/** The properties of a file by name; the last one of a name counts, as for the programs that read such files. */
export type Properties = ReadonlyMap<string, Property>;

/** Names that only librdkafka has, or files of its programs. */
const ofLibrdkafka = new Set([
  ...['metadata.broker.list', 'sasl.username', 'sasl.password', 'sasl.mechanisms'],
  ...['ssl.ca.location', 'ssl.certificate.location', 'ssl.key.location', 'enable.ssl.certificate.verification'],
]);

const start =
  /^(?:bootstrap\.servers|metadata\.broker\.list|security\.protocol|sasl\.\w[\w.]*|ssl\.\w[\w.]*)[ \t]*[=:]/m;

/** Whether a text has properties of Kafka clients. No key of another configuration file of weir is written like this. */
export function isProperties(text: string): boolean {
  return start.test(text);
}

/**
 * Reads a properties file of Kafka's own programs (the format of `java.util.Properties`), or of kcat and other programs of
 * librdkafka, which takes lines as they are. The names in it tell which: a backslash means different things.
 */
export function readProperties(text: string): Properties {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const plain = plainLines(lines);
  return [...plain.keys()].some((name) => ofLibrdkafka.has(name)) ? plain : javaLines(lines);
}

/** As kcat reads them: a name, `=`, and the rest of the line; only `\:` and `\=` are escapes. */
function plainLines(lines: readonly string[]): Properties {
  const properties = new Map<string, Property>();
  for (const [at, line] of lines.entries()) {
    const end = line.indexOf('=');
    const name = line.slice(0, Math.max(end, 0)).trim();
    if (name === '' || name.startsWith('#')) continue;
    const value = line.slice(end + 1).trim();
    properties.set(name, { value: value.replace(/\\([:=])/g, '$1'), line: at + 1 });
  }
  return properties;
}

/** As `java.util.Properties` reads them; Kafka removes spaces around values. */
function javaLines(lines: readonly string[]): Properties {
  const properties = new Map<string, Property>();
  for (let at = 0; at < lines.length; at += 1) {
    const line = at + 1;
    const first = withoutIndent(lines[at] ?? '');
    // The line after a backslash alone is the beginning of another one.
    if (first === '' || first === '\\' || first.startsWith('#') || first.startsWith('!')) continue;
    const parts = [first];
    while (isContinued(parts.at(-1) ?? '')) {
      at += 1;
      parts.push((parts.pop() ?? '').slice(0, -1), withoutIndent(lines[at] ?? ''));
    }
    const { name, value } = splitName(parts.join(''));
    properties.set(unescaped(name), { value: trimmed(unescaped(value)), line });
  }
  return properties;
}

/** What separates names from values in Java, besides a sign. */
const blanks: ReadonlySet<string | undefined> = new Set([' ', '\t', '\f']);

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (blanks.has(text[at])) at += 1;
  return at;
}

function withoutIndent(line: string): string {
  return line.slice(skipBlanks(line, 0));
}

/** Whether a line ends in a backslash that is not escaped itself. */
function isContinued(line: string): boolean {
  let at = line.length;
  while (line[at - 1] === '\\') at -= 1;
  return (line.length - at) % 2 === 1;
}

/** Splits a line at the first `=`, `:` or blank that is not escaped. */
function splitName(line: string): { readonly name: string; readonly value: string } {
  let end = 0;
  while (end < line.length && !isSign(line[end]) && !blanks.has(line[end])) end += line[end] === '\\' ? 2 : 1;
  const sign = skipBlanks(line, end);
  const start = isSign(line[sign]) ? skipBlanks(line, sign + 1) : sign;
  return { name: line.slice(0, end), value: line.slice(start) };
}

function isSign(char: string | undefined): boolean {
  return char === '=' || char === ':';
}

/** As Java trims: every character up to the space. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text.charCodeAt(start) <= 0x20) start += 1;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end -= 1;
  return text.slice(start, end);
}

const named: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_, code: string | undefined, char: string) =>
    code === undefined ? (named[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** A login of `sasl.jaas.config`. */
export interface JaasLogin {
  /** The class without its package, for example `PlainLoginModule`. */
  readonly module: string;
  readonly options: ReadonlyMap<string, string>;
}

const jaasToken = /\s+|\/\*.*?\*\/|\/[^\n]*|"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'|([;=])|([^\s;="'/]+)/gsy;

const ofJaas: Readonly<Record<string, string>> = { ...named, a: '\u0007', b: '\b', v: '\v' };

/** As the tokenizer of Java reads a quoted text, which knows octal numbers and no others. */
function unquoted(text: string): string {
  return text.replace(/\\([0-3]?[0-7]{1,2}|.)/gs, (_, escaped: string) =>
    /^[0-7]/.test(escaped) ? String.fromCharCode(Number.parseInt(escaped, 8)) : (ofJaas[escaped] ?? escaped),
  );
}

/** Far more than a login needs: comments without an end are looked through again and again. */
const longestJaas = 64 * 1024;

/** Reads the first login of `sasl.jaas.config`; undefined if it has another form. */
export function readJaas(text: string): JaasLogin | undefined {
  if (text.length > longestJaas) return undefined;
  const tokens = jaasTokens(text);
  const end = tokens.findIndex(({ text: sign, isSign }) => isSign && sign === ';');
  const [module, flag, ...rest] = tokens.slice(0, end < 0 ? 0 : end);
  if (module === undefined || flag === undefined || rest.length % 3 !== 0) return undefined;
  const options = new Map<string, string>();
  for (let at = 0; at < rest.length; at += 3) {
    if (!rest[at + 1]?.isSign) return undefined;
    options.set(rest[at]?.text ?? '', rest[at + 2]?.text ?? '');
  }
  return { module: module.text.split('.').at(-1) ?? '', options };
}

function jaasTokens(text: string): readonly { readonly text: string; readonly isSign: boolean }[] {
  return [...text.matchAll(jaasToken)].flatMap(([, double, single, sign, word]) => {
    const quoted = double ?? single;
    if (quoted !== undefined) return { text: unquoted(quoted), isSign: false };
    const plain = sign ?? word;
    return plain === undefined ? [] : { text: plain, isSign: sign !== undefined };
  });
}
