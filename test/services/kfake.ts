import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('./kfake', import.meta.url));
/** The version that the module needs. The module proxy has it as a module of this name. */
const toolchain = `golang.org/toolchain@v0.0.1-go1.26.0.${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;

/** The addresses of the running clusters of franz-go's kfake, another implementation of the Kafka protocol. */
export interface Kfake extends AsyncDisposable {
  /** Three brokers without authentication. */
  readonly open: string;
  /** One broker without authentication. */
  readonly single: string;
  /** One broker with SASL and ACLs; the superuser is `admin` with the password `admin-secret` (SCRAM-SHA-256). */
  readonly closed: string;
}

/** Starts the clusters, which end with this process at the latest. */
export async function startKfake(): Promise<Kfake> {
  const child = spawn(kfakeProgram(), { stdio: ['pipe', 'pipe', 'inherit'] });
  const addresses = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [name = '', address = ''] = line.split(' ');
    addresses.set(name, address);
    if (addresses.size === 3) break;
  }
  const of = (name: string): string => {
    const address = addresses.get(name);
    if (address !== undefined) return address;
    throw new Error('kfake did not start');
  };
  return {
    open: of('open'),
    single: of('single'),
    closed: of('closed'),
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    },
  };
}

/** Returns the program that starts kfake, compiled once for each version of its source. */
export function kfakeProgram(): string {
  const texts = ['main.go', 'go.mod', 'go.sum'].map((name) => readFileSync(join(source, name)));
  const hash = createHash('sha256').update(Buffer.concat(texts)).digest('hex').slice(0, 16);
  const directory = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'weir-tests');
  const program = join(directory, `kfake-${hash}`);
  if (existsSync(program)) return program;
  mkdirSync(directory, { recursive: true });
  const draft = `${program}.${process.pid}`;
  go(goProgram(), ['build', '-trimpath', '-o', draft, '.'], source);
  renameSync(draft, program);
  return program;
}

/** Finds a Go that is new enough, or fetches it with the one that is there. */
function goProgram(): string {
  const [, minor = '0'] = /go1\.(\d+)/.exec(go('go', ['version'], tmpdir())) ?? [];
  if (Number(minor) >= 26) return 'go';
  const empty = mkdtempSync(join(tmpdir(), 'weir-go-'));
  const { Dir: root } = JSON.parse(go('go', ['mod', 'download', '-json', toolchain], empty)) as {
    readonly Dir: string;
  };
  rmSync(empty, { recursive: true });
  // Modules have no executable files.
  const tools = join(root, 'pkg/tool');
  const directories = [join(root, 'bin'), ...readdirSync(tools).map((name) => join(tools, name))];
  for (const one of directories) for (const name of readdirSync(one)) chmodSync(join(one, name), 0o755);
  return join(root, 'bin/go');
}

function go(program: string, args: readonly string[], cwd: string): string {
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOTOOLCHAIN: 'local' };
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`the tests need Go: go ${args.join(' ')} failed: ${error?.message ?? stderr}`);
}
