import { X509Certificate } from 'node:crypto';
import { type ConnectionOptions, createSecureContext, getCACertificates } from 'node:tls';
import { invalidError, usageError } from '../errors.ts';
import { ReadRefusal, readSmallFile } from '../files/read.ts';
import { codeOf } from './tls-reason.ts';

/** The configured TLS options; the files are read when the client is created. */
export interface TlsOptions {
  /** The PEM file with the CA certificates; it replaces the system's CA certificates. */
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly insecureSkipVerify: boolean;
  /** The name that the certificate must be for; undefined: the host that is connected to. */
  readonly serverName?: string | undefined;
  /** The prefix of the option keys, for messages: `tls`, `admin.tls` or `registry.tls`. */
  readonly keyPrefix: string;
}

/**
 * The TLS options for Node.js. `secureContext` contains the parsed files, so that they are not parsed for every dial.
 * The dialer adds the server name: that of `serverName`, or else the host.
 */
export type TlsMaterial = Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'secureContext' | 'rejectUnauthorized'> &
  Pick<Partial<TlsOptions>, 'serverName'>;

/** The options for a peer that has none: its certificate is verified with the CA certificates of the system. */
export const systemRoots: TlsOptions = {
  ca: undefined,
  cert: undefined,
  key: undefined,
  insecureSkipVerify: false,
  keyPrefix: 'tls',
};

/** The files of one TLS configuration, by option key. */
type Part = 'ca' | 'cert' | 'key';

/**
 * Reads and checks the PEM files, so that an invalid file is reported before a connection is opened.
 * @throws CliError (exit 2) with the option key, the file and the reason; the signal's reason
 */
export async function readTls(options: TlsOptions, signal?: AbortSignal): Promise<TlsMaterial> {
  const { keyPrefix, insecureSkipVerify, serverName } = options;
  checkPair(options);
  const [ca, cert, key] = await Promise.all([
    readPem(options, 'ca', signal),
    readPem(options, 'cert', signal),
    readPem(options, 'key', signal),
  ]);
  // Reading the system's CA certificates takes 20 ms and is not needed without verification.
  const trusted = ca ?? (insecureSkipVerify ? undefined : trustedRoots());
  const material = {
    ...(trusted === undefined ? {} : { ca: trusted }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  try {
    const secureContext = createSecureContext(material);
    return {
      ...material,
      secureContext,
      rejectUnauthorized: !insecureSkipVerify,
      ...(serverName !== undefined && { serverName }),
    };
  } catch (error) {
    throw usageError(`unable to use ${pairName(options)}: ${materialReason(error, keyPrefix, key)}`, {
      code: 'TLS_CONFIG',
      target: `${keyPrefix}.${ca !== undefined && cert === undefined ? 'ca' : 'key'}`,
      cause: error,
    });
  }
}

function checkPair({ cert, key, keyPrefix }: TlsOptions): void {
  if ((cert === undefined) === (key === undefined)) return;
  const [given, missing] = cert === undefined ? ['key', 'cert'] : ['cert', 'key'];
  throw usageError(`${keyPrefix}.${given} is set without ${keyPrefix}.${missing}`, {
    code: 'TLS_CONFIG',
    target: `${keyPrefix}.${missing}`,
    hints: [`set both for a client certificate: -X ${keyPrefix}.${missing}=FILE`],
  });
}

function pairName({ ca, cert, keyPrefix }: TlsOptions): string {
  const names = [ca === undefined ? undefined : 'ca', ...(cert === undefined ? [] : ['cert', 'key'])];
  return names.flatMap((name) => (name === undefined ? [] : [`${keyPrefix}.${name}`])).join(', ');
}

const pemBlocks = {
  certificate: /-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE)-----(?:[^-]*-----END \1-----)?/g,
  'private key': /-----BEGIN ((?:[A-Z]+ )*PRIVATE KEY)-----(?:[\s\S]*?-----END \1-----)?/g,
} as const;

/** The bundles of all public CA certificates have less than 1 MiB. */
const maxPemBytes = 16 * 1024 * 1024;

async function readPem(options: TlsOptions, part: Part, signal?: AbortSignal): Promise<string | undefined> {
  const file = options[part];
  if (file === undefined) return undefined;
  const option = `${options.keyPrefix}.${part}`;
  let pem: string;
  try {
    pem = (await readSmallFile(file, maxPemBytes, signal)).toString('latin1');
  } catch (error) {
    signal?.throwIfAborted();
    throw usageError(`unable to read ${file} (${option}): ${fileReason(error)}`, {
      code: 'TLS_CONFIG',
      target: option,
      hints: [`see where it is set with: weir config explain ${option}`],
      cause: error,
    });
  }
  const what = part === 'key' ? 'private key' : 'certificate';
  const blocks = [...pem.matchAll(pemBlocks[what])].map(([block]) => trimmedLines(block));
  const [first] = blocks;
  if (first === undefined) {
    throw invalidError(`invalid ${option}: there is no PEM ${what} in "${file}"`, {
      code: 'TLS_CONFIG',
      target: option,
      hints: [`use a file that contains -----BEGIN ${what.toUpperCase()}-----`],
    });
  }
  return part === 'key'
    ? first
    : blocks.map((block, at) => checkedCertificate(block, at + 1, { option, file })).join('');
}

/**
 * Without blanks at both ends of lines, which OpenSSL and BoringSSL do not both accept: the libraries get exactly the
 * blocks that are checked here, without byte order marks, and nothing of the text around them.
 */
function trimmedLines(block: string): string {
  return `${block
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .join('\n')}\n`;
}

/** Node.js ignores malformed certificates; the connection would then fail with an unrelated error. */
function checkedCertificate(
  block: string,
  number: number,
  { option, file }: { readonly option: string; readonly file: string },
): string {
  try {
    return new X509Certificate(block).toString();
  } catch (error) {
    throw invalidError(`invalid ${option}: certificate ${number} in "${file}" is malformed`, {
      code: 'TLS_CONFIG',
      target: option,
      hints: [`see where it is set with: weir config explain ${option}`],
      cause: error,
    });
  }
}

/** `Proc-Type: 4,ENCRYPTED` (PKCS #1) or `BEGIN ENCRYPTED PRIVATE KEY` (PKCS #8). */
const lockedKey = /\bENCRYPTED\b/;

function materialReason(error: unknown, keyPrefix: string, key: string | undefined): string {
  const text = error instanceof Error ? error.message : String(error);
  // The text of the error may be about something earlier that OpenSSL could not read.
  if (key !== undefined && lockedKey.test(key))
    return `${keyPrefix}.key is protected by a passphrase (use an unprotected key file)`;
  if (/key values mismatch|KEY_VALUES_MISMATCH/i.test(text)) return `${keyPrefix}.key does not match ${keyPrefix}.cert`;
  return `not a valid PEM file (${text})`;
}

/** The CA certificates of Node.js and of this machine; a company's own CA is often installed only on the machine. */
function trustedRoots(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}

const fileReasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'it is a directory'],
]);

function fileReason(error: unknown): string {
  return error instanceof ReadRefusal ? `it is ${error.message}` : (fileReasons.get(codeOf(error)) ?? codeOf(error));
}
