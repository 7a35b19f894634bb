import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bunOf, type Target, targets } from './bun.ts';
import { bundleWeir } from './bundle.ts';
import { removeSignature } from './mach-o.ts';

const { values } = parseArgs({ options: { target: { type: 'string' }, out: { type: 'string' } } });
const target = targetOf(values.target ?? `${platform()}-${arch()}`);
const out = resolve(values.out ?? join('dist', target.startsWith('windows') ? 'weir.exe' : 'weir'));

await buildExecutable(target, out);

function targetOf(name: string): Target {
  const found = targets.find((one) => one === name.replace('win32', 'windows'));
  if (found !== undefined) return found;
  throw new Error(`unknown target ${name}: choose one of ${targets.join(', ')}`);
}

/**
 * Builds the executable of one target: esbuild bundles the modules, and Bun adds its bytecode and itself. Left to
 * itself, Bun would replace the package undici by one of its own; in one file, `--version` took twice as long. Written
 * whole or not at all.
 */
async function buildExecutable(target: Target, out: string): Promise<void> {
  mkdirSync(dirname(out), { recursive: true });
  // Beside the file, which cannot be moved there from another file system.
  const place = mkdtempSync(join(dirname(out), '.executable-'));
  try {
    const root = target.startsWith('windows') ? 'file:///B:/~BUN/root' : 'file:///$bunfs/root';
    // Bun would put the path of this build in the place of __filename, and no two builds would have the same bytes.
    const own = JSON.stringify(`${root}/weir.js`);
    const bundle = { outdir: place, define: { 'import.meta.url': own, __filename: own } };
    await bundleWeir({ ...bundle, entryPoints: { weir: 'src/executable.ts' } });
    const [compiler, base] = [bunOf(targetOf(`${platform()}-${arch()}`)), bunOf(target)];
    // Bun adds the ending for Windows where it is missing.
    const made = join(place, target.startsWith('windows') ? 'made.exe' : 'made');
    execFileSync(
      compiler,
      [
        ...[
          'build',
          '--compile',
          `--target=bun-${target}`,
          '--bytecode',
          '--format=esm',
          '--splitting',
          `--compile-executable-path=${base}`,
        ],
        // Nothing in the working directory may change how weir runs.
        ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
        // Compiling to machine code only what runs ten times as often saves a short command a fifth of its time, and
        // costs bulk work nothing that could be measured.
        '--compile-jit-policy=10',
        ...['--outfile', made, 'weir.js'],
      ],
      { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    if (target === 'darwin-x64') removeSignature(made);
    chmodSync(made, 0o755);
    renameSync(made, out);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
