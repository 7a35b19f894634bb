import { CliError, exitCodes, invalidError } from '../../errors.ts';
import { codeOf, faultOf } from '../../files/fault.ts';
import { excerpt } from '../../format/excerpt.ts';
import { mostSecretBytes, secretLine } from '../../format/secret-line.ts';
import type { SpawnResult } from '../../host/host.ts';
import { programLimitMs, type RunWorld, runLimited, type SecretProgram } from './limited-run.ts';
import { type SecretParts, secretFault, type WantedSecret } from './parts.ts';

/** The keychain of the system. An entry of weir has a name; no other entry can be read. */
export interface Keychain {
  /** The secret of an entry; undefined if there is no such entry. */
  read(name: string): Promise<string | undefined>;
  /** Stores a secret, replacing that of an entry with this name. */
  store(name: string, secret: string): Promise<void>;
  /** Removes an entry; returns false if there is none. */
  remove(name: string): Promise<boolean>;
}

/** A request to the program of a system, and how to read what it says. */
interface Dialect {
  readonly read: (name: string) => SecretProgram;
  readonly store: (name: string, secret: string) => SecretProgram;
  readonly remove: (name: string) => SecretProgram;
  /** Whether the result means that there is no such entry. */
  isMissing(result: SpawnResult): boolean;
  /** The longest input that the program takes, in bytes. */
  readonly mostInputBytes?: number;
  /** What a secret is stored as, because the program changes some texts on the way. */
  encode(secret: string): string;
  /** How to get the program. */
  readonly install: string;
}

const service = 'weir';
const capture = { stdio: 'capture', mostBytes: 4 * mostSecretBytes } as const;
const mostShown = `${capture.mostBytes / 1024} KiB`;

/** A secret that is stored as it is could look like an encoded one. */
const encodedMark = 'weir-base64:';

/** Programs for consoles have trouble with everything but printable ASCII. */
function plainOrEncoded(secret: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(secret) && !secret.startsWith(encodedMark);
  return isPlain ? secret : encodedMark + Buffer.from(secret).toString('base64');
}

function decoded(text: string): string {
  return text.startsWith(encodedMark) ? Buffer.from(text.slice(encodedMark.length), 'base64').toString('utf8') : text;
}

/** The Secret Service of a desktop (GNOME Keyring, KWallet, KeePassXC), by the program of libsecret. */
const secretService: Dialect = {
  read: (name) => ({ file: 'secret-tool', args: ['lookup', ...attributes(name)], ...capture }),
  store: (name, secret) => ({
    file: 'secret-tool',
    args: ['store', `--label=${service}: ${name}`, ...attributes(name)],
    input: secret,
    ...capture,
  }),
  remove: (name) => ({ file: 'secret-tool', args: ['clear', ...attributes(name)], ...capture }),
  // Without a message. A locked keychain looks the same: nobody can ask the person to unlock it.
  isMissing: ({ exitCode, stderr }) => exitCode === 1 && stderr.trim() === '',
  encode: (secret) => secret,
  install: 'install secret-tool: libsecret-tools on Debian and Ubuntu, libsecret elsewhere',
};

function attributes(name: string): readonly string[] {
  return ['service', service, 'account', name];
}

/** The keychain of macOS. Its program takes a password that others cannot see only as a line of its input. */
const macKeychain: Dialect = {
  read: (name) => ({ file: security, args: ['find-generic-password', ...item(name), '-w'], ...capture }),
  store: (name, secret) => ({
    file: security,
    args: ['-i'],
    input: `add-generic-password -U ${item(name).map(quoted).join(' ')} -l ${quoted(`${service}: ${name}`)} -w ${quoted(secret)}\n`,
    ...capture,
  }),
  remove: (name) => ({ file: security, args: ['delete-generic-password', ...item(name)], ...capture }),
  isMissing: ({ exitCode }) => exitCode === errSecItemNotFound,
  // It cuts lines at 4,096 bytes, and takes the rest for another command.
  mostInputBytes: 4_000,
  encode: plainOrEncoded,
  install: 'it is part of macOS',
};

const security = '/usr/bin/security';
const errSecItemNotFound = 44;

function item(name: string): readonly string[] {
  return ['-s', service, '-a', name];
}

/** A word in the input of `security -i`. */
function quoted(word: string): string {
  return `"${word.replace(/["\\]/g, '\\$&')}"`;
}

/** The credential locker of Windows, which only Windows PowerShell can ask. What it needs is in its input. */
const windowsVault: Dialect = {
  read: (name) => powershell('$c = Find; $c.RetrievePassword(); [Console]::Out.Write($c.Password)', name),
  store: (name, secret) =>
    powershell(
      '$v.Add((New-Object Windows.Security.Credentials.PasswordCredential($service, $name, $secret)))',
      name,
      secret,
    ),
  remove: (name) => powershell('$v.Remove((Find))', name),
  isMissing: ({ exitCode }) => exitCode === errSecItemNotFound,
  encode: plainOrEncoded,
  install: 'it is part of Windows',
};

const prelude = `$ErrorActionPreference = 'Stop'
[void][Windows.Security.Credentials.PasswordVault,Windows.Security.Credentials,ContentType=WindowsRuntime]
$v = New-Object Windows.Security.Credentials.PasswordVault
$service = '${service}'
function Text($line) { [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($line)) }
$name = Text ([Console]::In.ReadLine())
$secret = Text ([Console]::In.ReadLine())
function Find { try { $v.Retrieve($service, $name) } catch { exit ${errSecItemNotFound} } }
`;

function powershell(script: string, name: string, secret = ''): SecretProgram {
  const encodedScript = Buffer.from(prelude + script, 'utf16le').toString('base64');
  return {
    file: 'powershell.exe',
    args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', encodedScript],
    input: [name, secret].map((text) => `${Buffer.from(text).toString('base64')}\n`).join(''),
    ...capture,
  };
}

const dialects: Readonly<Partial<Record<NodeJS.Platform, Dialect>>> = { darwin: macKeychain, win32: windowsVault };

/** The keychain of this system. Nothing is asked yet. */
export function openKeychain(world: RunWorld): Keychain {
  const dialect = dialects[world.host.platform] ?? secretService;
  const ask = async (program: SecretProgram): Promise<SpawnResult | undefined> => {
    const result = await runLimited(world, program, () => unusable(dialect, overdue)).catch((error: unknown) => {
      if (codeOf(error) === undefined) throw error;
      throw unusable(dialect, startFault(error, program.file), error);
    });
    if (result.isTooLong) throw unusable(dialect, `${program.file} printed more than ${mostShown}`);
    if (result.exitCode === 0) return result;
    if (dialect.isMissing(result)) return undefined;
    throw unusable(dialect, messageOf(result, program.file));
  };
  return {
    async read(name) {
      const output = await ask(dialect.read(checkedName(name)));
      return output === undefined ? undefined : decoded(output.stdout);
    },
    async store(name, secret) {
      const program = dialect.store(checkedName(name), dialect.encode(secret));
      const { mostInputBytes = Number.POSITIVE_INFINITY } = dialect;
      if (Buffer.byteLength(program.input ?? '') > mostInputBytes)
        throw unusable(dialect, `the secret is too long for ${program.file}, which takes ${mostInputBytes} bytes`);
      if ((await ask(program)) === undefined) throw unusable(dialect, 'the entry was not stored');
    },
    remove: async (name) => (await ask(dialect.remove(checkedName(name)))) !== undefined,
  };
}

/** A line break in a name would begin another command. @throws CliError (exit 2) for a name with control characters */
function checkedName(name: string): string {
  if (!/\p{Cc}/u.test(name)) return name;
  throw invalidError(`invalid name of a keychain entry "${excerpt(name)}": it has control characters`, {
    code: 'CONFIG_INVALID',
    target: name,
  });
}

const overdue = `no answer within ${programLimitMs / 1000}s`;

function startFault(error: unknown, file: string): string {
  return codeOf(error) === 'ENOENT' ? `there is no program "${file}"` : faultOf(error);
}

/** What a program says about its failure: its last line. It got the secret over its input, and does not repeat it. */
function messageOf({ stderr, exitCode }: SpawnResult, file: string): string {
  const last = stderr.trim().split(/\r?\n/).at(-1) ?? '';
  return last === '' ? `${file} failed with exit code ${exitCode}` : excerpt(last);
}

const noKeychain = 'NO_KEYCHAIN';

function unusable({ install }: Dialect, reason: string, cause?: unknown): CliError {
  return new CliError(exitCodes.failure, `unable to use the keychain: ${reason}`, {
    code: noKeychain,
    hints: [
      ...(codeOf(cause) === 'ENOENT' ? [install] : []),
      'a machine without a desktop has none: use a file (pass.file), a command (pass.command) or WEIR_PASS instead',
    ],
    ...(cause === undefined ? {} : { cause }),
  });
}

/**
 * Reads a secret from the keychain.
 * @throws CliError (exit 4) if there is no such entry; (exit 1) if the keychain cannot be used
 */
export async function readKeychain({ host, deadline }: SecretParts, wanted: WantedSecret): Promise<string> {
  const done = deadline.waitingFor(`the keychain, which has ${wanted.key}`);
  const secret = await openKeychain({ host, deadline })
    .read(wanted.from.text)
    .catch((error: unknown) => {
      if (!(error instanceof CliError) || error.code !== noKeychain) throw error;
      const { exitCode, code, hints } = error;
      throw secretFault(wanted, error.message, { exitCode, code, hints, cause: error });
    })
    .finally(done);
  try {
    if (secret !== undefined) return secretLine(secret);
  } catch (error) {
    throw secretFault(wanted, `it is not a secret: ${faultOf(error)}`);
  }
  throw secretFault(wanted, 'there is no such entry, or the keychain is locked', {
    hints:
      wanted.option === undefined
        ? []
        : [`unlock the keychain, or store it with: weir profile set ${wanted.option} --keychain`],
  });
}
