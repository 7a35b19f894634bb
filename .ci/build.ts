import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { manPages } from '../src/cli/help/man.ts';
import { commands } from '../src/commands/index.ts';
import { builtins } from './builtins.ts';
import { bundlePrograms, bundleWeir } from './bundle.ts';
import { digestOfSources, forgetSources, keepSources } from './sources.ts';

const sources = digestOfSources();
forgetSources();
const forNode = { outdir: 'dist', plugins: [builtins] };
const { outputs } = await bundleWeir({ ...forNode, entryPoints: { main: 'src/main.ts' } });
await bundlePrograms({
  ...forNode,
  entryPoints: {
    'control-plane': 'src/sandbox/cloud/entry.ts',
    'simulated-brokers': 'src/sandbox/simulated/entry.ts',
    'admin-api': 'src/sandbox/admin/entry.ts',
  },
});

// The banner stays where require() is called only: making one takes time at every start.
for (const path of Object.keys(outputs)) {
  const [banner = '', ...body] = (await readFile(path, 'utf8')).split('\n');
  const code = body.join('\n');
  if (banner.includes('createRequire') && !/\brequire\b/.test(code)) await writeFile(path, code);
}

// Old chunks go after the new ones stand, so that a weir that is running finds its files.
const made = new Set(Object.keys(outputs).map((path) => basename(path)));
for (const name of await readdir('dist/chunks')) if (!made.has(name)) await rm(`dist/chunks/${name}`);

// Each manual page says what its page in docs/commands/ says: as files in git, every change would be made twice.
await rm('dist/man', { recursive: true, force: true });
await mkdir('dist/man');
for (const [name, text] of await manPages(commands)) await writeFile(`dist/man/${name}`, text);
keepSources(sources);
