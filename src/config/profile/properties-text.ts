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
  const found = new Map<string, Property>();
  for (const [at, line] of lines.entries()) {
    const [, name, value] = /^\s*([^#\s=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined)
      found.set(name, { value: value.replace(/\\([:=])/g, '$1'), line: at + 1 });
  }
  return found;
}

/** As `java.util.Properties` reads them; Kafka removes spaces around values. */
function javaLines(lines: readonly string[]): Properties {
  const found = new Map<string, Property>();
  for (let at = 0; at < lines.length; at += 1) {
    const line = at + 1;
    let logical = (lines[at] ?? '').trimStart();
    if (/^(?:[#!]|$)/.test(logical)) continue;
    while (/(?<!\\)(?:\\\\)*\\$/.test(logical) && at + 1 < lines.length) {
      at += 1;
      logical = logical.slice(0, -1) + (lines[at] ?? '').trimStart();
    }
    const [, name = '', value = ''] = /^((?:\\.|[^\\=:\s])*)(?:\s*[=:]\s*|\s+|$)(.*)$/.exec(logical) ?? [];
    found.set(unescaped(name), { value: unescaped(value).trim(), line });
  }
  return found;
}

const named: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([\da-fA-F]{4})|(.))/g, (_, code: string | undefined, char: string) =>
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

/** Reads the first login of `sasl.jaas.config`; undefined if it has another form. */
export function readJaas(text: string): JaasLogin | undefined {
  const tokens: { readonly text: string; readonly isSign: boolean }[] = [];
  for (const [, double, single, sign, word] of text.matchAll(jaasToken)) {
    const found = double ?? single ?? sign ?? word;
    if (found === undefined) continue;
    const isQuoted = double !== undefined || single !== undefined;
    tokens.push({ text: isQuoted ? unquoted(found) : found, isSign: sign !== undefined });
  }
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
