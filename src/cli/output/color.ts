import type { Host, OutputStream } from '../../host.ts';

/** What `--color` says. */
export type ColorChoice = 'auto' | 'always' | 'never';

/**
 * Whether text for `output` is coloured, decided per stream: `--color`, then FORCE_COLOR, NO_COLOR,
 * CLICOLOR_FORCE, TERM=dumb and CI, then whether a terminal is there. An empty variable does not count;
 * `FORCE_COLOR=0` and `false` mean no colour, `CLICOLOR_FORCE=0` leaves it to the terminal.
 */
export function wantsColor(choice: ColorChoice, env: Host['env'], output: OutputStream): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR) return false;
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  if (env.TERM === 'dumb' || env.CI) return false;
  return output.isTerminal;
}

/** Whether lines may be redrawn on `output`: a real terminal, not in CI. */
export function mayAnimate(env: Host['env'], output: OutputStream): boolean {
  return output.isTerminal && env.TERM !== 'dumb' && !env.CI;
}
