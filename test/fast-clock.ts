import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

/**
 * The value of NODE_OPTIONS that lets the clock of a sandbox's control plane run twenty times as fast as ours, because
 * its operations take seconds: every Node.js then loads this file before its program.
 */
export const fastClock = `--require=${JSON.stringify(fileURLToPath(import.meta.url))}`;

const speed = 20;

if (/[/\\](cloud[/\\]entry\.ts|control-plane\.js)$/.test(argv[1] ?? '')) {
  const now = performance.now.bind(performance);
  performance.now = () => now() * speed;
}
