// `npm run images`: pictures for the README, drawn from what commands really print in a terminal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { isFree } from '../../src/sandbox/ports.ts';
import { fastClock } from '../fast-clock.ts';
import { record, type Screen, standInHome, watch } from './record.ts';
import { type Machine, scenes } from './scenes.ts';
import { drawTerminal, palettes } from './svg.ts';

const folder = 'docs/images';
const wanted = process.argv.slice(2);

// The pictures show them.
for (const port of [9092, 29_092]) if (!(await isFree(port))) throw new Error(`port ${port} is in use`);

for (const { name, title, columns, play } of scenes) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const machine = newMachine(columns);
  try {
    const screen = await play(machine);
    mkdirSync(folder, { recursive: true });
    for (const [look, palette] of Object.entries(palettes)) {
      writeFileSync(join(folder, `${name}-${look}.svg`), drawTerminal(screen, title, columns, palette));
    }
    process.stdout.write(`${name}: ${screen.length} lines\n`);
  } finally {
    await machine.weir('sandbox', 'purge', '--yes');
    rmSync(machine.directory, { recursive: true, force: true });
  }
}

/** An empty home with weir on its PATH; downloads of sandboxes are those of the user. */
function newMachine(columns: number): Machine {
  // As long as the home of a person, which is seen in the pictures instead.
  const directory = standInHome;
  mkdirSync(directory);
  const program = join(directory, 'bin/weir');
  mkdirSync(join(directory, 'bin'));
  writeFileSync(
    program,
    `#!/bin/sh\nexec '${resolve('node_modules/node/bin/node')}' '${resolve('bin/weir.js')}' "$@"\n`,
  );
  chmodSync(program, 0o755);
  const env = {
    PATH: `${join(directory, 'bin')}:${process.env.PATH}`,
    HOME: directory,
    JAVA_HOME: process.env.JAVA_HOME,
    XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NODE_OPTIONS: fastClock,
  };
  return {
    directory,
    async weir(...args) {
      const { stdout } = await execa(program, args, { env, extendEnv: false, cwd: directory, reject: false });
      return stdout;
    },
    async during(line, work) {
      const child = spawn('/bin/sh', ['-c', line], { env, cwd: directory, stdio: 'ignore', detached: true });
      try {
        return await work();
      } finally {
        if (child.pid !== undefined) process.kill(-child.pid);
        await once(child, 'close');
      }
    },
    record: (...lines): Promise<Screen> => record(lines, { columns, env, cwd: directory }),
    watch: (line, forMs): Promise<Screen> => watch(line, { columns, env, cwd: directory }, forMs),
  };
}
