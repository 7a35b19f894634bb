import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { bunOf, type Target, targets } from './bun.ts';
import { builtins, bundled, widths } from './bundle.ts';

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
 * Builds the executable of one target: esbuild makes one file of all modules (left to itself, Bun would replace the
 * package undici by one of its own), and Bun adds its bytecode and itself. Written whole or not at all.
 */
async function buildExecutable(target: Target, out: string): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'weir-executable-'));
  try {
    const root = target.startsWith('windows') ? 'file:///B:/~BUN/root' : 'file:///$bunfs/root';
    await build({
      ...bundled,
      entryPoints: { weir: 'src/executable.ts', 'record-walk-worker': 'src/kafka/consume/walk-worker.ts' },
      outdir: place,
      // In CommonJS what dynamic import() names is evaluated with the import, and the whole starts faster than ESM.
      format: 'cjs',
      // Bun would put the path of this build in the place of __filename, and no two builds would have the same bytes.
      define: { 'import.meta.url': JSON.stringify(`${root}/weir.js`), __filename: JSON.stringify(`${root}/weir.js`) },
      plugins: [widths, builtins],
    });
    const [compiler, base] = [bunOf(targetOf(`${platform()}-${arch()}`)), bunOf(target)];
    const made = join(place, 'made');
    execFileSync(
      compiler,
      [
        ...['build', '--compile', '--bytecode', '--format=cjs', `--compile-executable-path=${base}`],
        // Nothing in the working directory may change how weir runs.
        ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
        ...['--outfile', made, 'weir.js', 'record-walk-worker.js'],
      ],
      { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    mkdirSync(dirname(out), { recursive: true });
    chmodSync(made, 0o755);
    renameSync(made, out);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
